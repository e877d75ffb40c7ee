;; Inner products of rows of numbers (64-bit floating point): four rows, each with the same two others, two columns at a
;; time. `npm run docs` translates this into row-products-module.ts. row-products.ts has the same in JavaScript, where
;; this cannot run; both must add in the same order, so that they give the same digits: even columns in one sum, odd ones
;; in another, then both together. (Hence no fused multiply-add either, which rounds once where JavaScript rounds twice.)
(module
  (import "space" "memory" (memory 1))

  ;; All lengths and places are counted in numbers. `left` and `right` are where the first of the four and of the two rows
  ;; begins, each next one `stride` further on. Rows beyond `height` (1 to 4) and `pair` (1 to 2) are those before them
  ;; again. The eight products, the four with the first of the two and then with the second, go to the memory's beginning.
  (func (export "multiplyRows")
    (param $left i32) (param $height i32) (param $right i32) (param $pair i32) (param $stride i32) (param $length i32)
    (local $l0 i32) (local $l1 i32) (local $l2 i32) (local $l3 i32)
    (local $x i32) (local $y i32) (local $end i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $t0 v128) (local $t1 v128) (local $t2 v128) (local $t3 v128)
    (local $vx v128) (local $vy v128) (local $v v128)

    ;; From here on in bytes.
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    (local.set $l0 (i32.shl (local.get $left) (i32.const 3)))
    (local.set $l1 (select (i32.add (local.get $l0) (local.get $stride)) (local.get $l0)
      (i32.gt_u (local.get $height) (i32.const 1))))
    (local.set $l2 (select (i32.add (local.get $l1) (local.get $stride)) (local.get $l1)
      (i32.gt_u (local.get $height) (i32.const 2))))
    (local.set $l3 (select (i32.add (local.get $l2) (local.get $stride)) (local.get $l2)
      (i32.gt_u (local.get $height) (i32.const 3))))
    (local.set $x (i32.shl (local.get $right) (i32.const 3)))
    (local.set $y (select (i32.add (local.get $x) (local.get $stride)) (local.get $x)
      (i32.gt_u (local.get $pair) (i32.const 1))))

    ;; Two columns at a time. Rows may begin at an odd place: loads need not be aligned, and cost next to nothing more.
    (local.set $end (i32.add (local.get $x)
      (i32.and (i32.shl (local.get $length) (i32.const 3)) (i32.const -16))))
    (if (i32.lt_u (local.get $x) (local.get $end)) (then
      (loop $more
        (local.set $vx (v128.load align=8 (local.get $x)))
        (local.set $vy (v128.load align=8 (local.get $y)))
        (local.set $v (v128.load align=8 (local.get $l0)))
        (local.set $s0 (f64x2.add (local.get $s0) (f64x2.mul (local.get $vx) (local.get $v))))
        (local.set $t0 (f64x2.add (local.get $t0) (f64x2.mul (local.get $vy) (local.get $v))))
        (local.set $v (v128.load align=8 (local.get $l1)))
        (local.set $s1 (f64x2.add (local.get $s1) (f64x2.mul (local.get $vx) (local.get $v))))
        (local.set $t1 (f64x2.add (local.get $t1) (f64x2.mul (local.get $vy) (local.get $v))))
        (local.set $v (v128.load align=8 (local.get $l2)))
        (local.set $s2 (f64x2.add (local.get $s2) (f64x2.mul (local.get $vx) (local.get $v))))
        (local.set $t2 (f64x2.add (local.get $t2) (f64x2.mul (local.get $vy) (local.get $v))))
        (local.set $v (v128.load align=8 (local.get $l3)))
        (local.set $s3 (f64x2.add (local.get $s3) (f64x2.mul (local.get $vx) (local.get $v))))
        (local.set $t3 (f64x2.add (local.get $t3) (f64x2.mul (local.get $vy) (local.get $v))))
        (local.set $l0 (i32.add (local.get $l0) (i32.const 16)))
        (local.set $l1 (i32.add (local.get $l1) (i32.const 16)))
        (local.set $l2 (i32.add (local.get $l2) (i32.const 16)))
        (local.set $l3 (i32.add (local.get $l3) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (br_if $more (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))))

    ;; A last column without a second one: the other half of each is zero, and adds nothing.
    (if (i32.and (local.get $length) (i32.const 1)) (then
      (local.set $vx (v128.load64_zero (local.get $x)))
      (local.set $vy (v128.load64_zero (local.get $y)))
      (local.set $v (v128.load64_zero (local.get $l0)))
      (local.set $s0 (f64x2.add (local.get $s0) (f64x2.mul (local.get $vx) (local.get $v))))
      (local.set $t0 (f64x2.add (local.get $t0) (f64x2.mul (local.get $vy) (local.get $v))))
      (local.set $v (v128.load64_zero (local.get $l1)))
      (local.set $s1 (f64x2.add (local.get $s1) (f64x2.mul (local.get $vx) (local.get $v))))
      (local.set $t1 (f64x2.add (local.get $t1) (f64x2.mul (local.get $vy) (local.get $v))))
      (local.set $v (v128.load64_zero (local.get $l2)))
      (local.set $s2 (f64x2.add (local.get $s2) (f64x2.mul (local.get $vx) (local.get $v))))
      (local.set $t2 (f64x2.add (local.get $t2) (f64x2.mul (local.get $vy) (local.get $v))))
      (local.set $v (v128.load64_zero (local.get $l3)))
      (local.set $s3 (f64x2.add (local.get $s3) (f64x2.mul (local.get $vx) (local.get $v))))
      (local.set $t3 (f64x2.add (local.get $t3) (f64x2.mul (local.get $vy) (local.get $v))))))

    (f64.store offset=0 (i32.const 0) (call $both (local.get $s0)))
    (f64.store offset=8 (i32.const 0) (call $both (local.get $s1)))
    (f64.store offset=16 (i32.const 0) (call $both (local.get $s2)))
    (f64.store offset=24 (i32.const 0) (call $both (local.get $s3)))
    (f64.store offset=32 (i32.const 0) (call $both (local.get $t0)))
    (f64.store offset=40 (i32.const 0) (call $both (local.get $t1)))
    (f64.store offset=48 (i32.const 0) (call $both (local.get $t2)))
    (f64.store offset=56 (i32.const 0) (call $both (local.get $t3))))

  (func $both (param $sums v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $sums)) (f64x2.extract_lane 1 (local.get $sums)))))

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A whole face and not the parts that pages load: a name with letters of two parts would be drawn in one, with boxes. */
const WHOLE = {
  400: "@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf",
  600: "@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf",
};
const fontsource = (face: string, part: string, weight: number) =>
  `@fontsource/${face}/files/${face}-${part}-${weight}-normal.woff2`;

/** The files of the faces, some 600 kB. What the asked one has no letter for comes from the first that has it. */
export function fontFiles(): string[] {
  return [
    fontsource("instrument-sans", "latin", 400),
    fontsource("instrument-sans", "latin", 600),
    WHOLE[400],
    WHOLE[600],
    ...["hebrew", "arabic"].flatMap((script) =>
      [400, 600].map((weight) => fontsource(`noto-sans-${script}`, script, weight)),
    ),
    fontsource("ibm-plex-mono", "latin", 400),
  ].map((file) => require.resolve(file));
}

/** ASCII, Latin-1 and the marks of running text: what the pages' own faces have in their first part. */
const FIRST_PART =
  /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]*$/;
const HEBREW = /[\u0590-\u05ff\ufb1d-\ufb4f]/;
const ARABIC = /[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]/;

/** The face in which a text is drawn: the pages' own where it has all letters. */
export function faceFor(text: string, own: "Instrument Sans" | "IBM Plex Mono"): string {
  if (FIRST_PART.test(text)) return own;
  if (ARABIC.test(text)) return "Noto Sans Arabic";
  return HEBREW.test(text) ? "Noto Sans Hebrew" : "IBM Plex Sans";
}

/** Whether there is a letter for each of a text's; what there is none for would come out as a box. */
export function canDraw(text: string): boolean {
  return shareDrawn(text) === 1;
}

/** A text of which most can be drawn, with a dot for each letter that cannot; undefined where too little would be left. */
export function drawableText(text: string): string | undefined {
  if (shareDrawn(text) < 0.8) return undefined;
  return [...text].map((letter) => (letter <= " " || canDraw(letter) ? letter : "·")).join("");
}

let known: ReadonlySet<number> | undefined;

function shareDrawn(text: string): number {
  const letters = [...text].filter((letter) => letter > " ");
  known ??= letterSet(readFileSync(require.resolve(WHOLE[600])));
  const drawn = letters.filter(
    (letter) =>
      FIRST_PART.test(letter) ||
      HEBREW.test(letter) ||
      ARABIC.test(letter) ||
      known?.has(letter.codePointAt(0) as number),
  );
  return letters.length === 0 ? 1 : drawn.length / letters.length;
}

/** Platform and encoding of the table that maps Unicode to glyphs, and the one of its forms that every face has. */
const UNICODE = [3, 1];
const SEGMENTS = 4;

/** The letters that a TrueType file has, from its `cmap`: segments of code points, each with an offset to its glyphs. */
export function letterSet(file: Buffer): ReadonlySet<number> {
  const tables = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const entry = tables.find((at) => file.toString("latin1", at, at + 4) === "cmap");
  if (entry === undefined) throw new Error("a face without a cmap");
  const cmap = file.readUInt32BE(entry + 8);
  const forms = Array.from({ length: file.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + index * 8);
  const form = forms.find((at) => file.readUInt16BE(at) === UNICODE[0] && file.readUInt16BE(at + 2) === UNICODE[1]);
  const at = cmap + file.readUInt32BE((form ?? cmap) + 4);
  if (form === undefined || file.readUInt16BE(at) !== SEGMENTS) throw new Error("a face whose cmap is of another form");
  const count = file.readUInt16BE(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + count * 2];
  const [deltas, offsets] = [starts + count * 2, starts + count * 4];
  const letters = new Set<number>();
  for (let segment = 0; segment < count; segment += 1) {
    const [start, end] = [file.readUInt16BE(starts + segment * 2), file.readUInt16BE(ends + segment * 2)];
    const [delta, offset] = [file.readUInt16BE(deltas + segment * 2), file.readUInt16BE(offsets + segment * 2)];
    for (let point = start; point <= end && point < 0xffff; point += 1) {
      const glyph = offset === 0 ? point : file.readUInt16BE(offsets + segment * 2 + offset + (point - start) * 2);
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) letters.add(point);
    }
  }
  return letters;
}

import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startThrowawayPostgres } from "../packages/arena/test/support/tmp-postgres.ts";
import { startArenaProcess } from "./arena-process.ts";
import { createDatabases } from "./databases.ts";
import { startEndpoint } from "./endpoint-process.ts";
const AGENTS=256;
const sys=new Map<string,number>();
function cpu(): Map<string, number> {
  const m=new Map<string,number>();
  for (const p of readdirSync("/proc")) { if(!/^\d+$/.test(p)) continue; try {
    const st=readFileSync(`/proc/${p}/stat`,"utf8"); const cmd=readFileSync(`/proc/${p}/cmdline`,"utf8").replaceAll("\0"," ");
    const f=st.slice(st.lastIndexOf(")")+2).split(" "); const t=Number(f[11])+Number(f[12]);
    m.set(p+" "+cmd.slice(0,110),t); if(cmd.includes("agon.js")) sys.set(p, Number(f[12]));} catch {} }
  return m;
}
const postgres = await startThrowawayPostgres({ durable: true });
const [databaseUrl] = await createDatabases(postgres.url, 1);
const endpoint = await startEndpoint();
const arena = await startArenaProcess({ databaseUrl: databaseUrl as string, connections: 8, profile: process.argv[2]||undefined,
  env: { AGON_PUSH_GAP_SECONDS: "0", AGON_ALLOW_PRIVATE_ENDPOINTS: "true", AGON_PROBES_PER_MINUTE: "0", AGON_PROBES_PER_HOST_HOUR: "0" } });
endpoint.setOpen(false);
await arena.addPrompts(2000, 0);
await arena.registerAgents(AGENTS, () => ({ mode: "push", webhook_url: endpoint.url }));
endpoint.setOpen(true);
await delay(3000);
const pgm=(await import("pg")).default; const c0c=new pgm.Client(databaseUrl as string); await c0c.connect(); await c0c.query("create extension if not exists pg_stat_statements"); await c0c.query("select pg_stat_statements_reset()"); await c0c.query("select pg_stat_reset()"); await c0c.end();
const secs=Number(process.argv[3]??8);
const c0=cpu(); const s0=new Map(sys); const a0=(await endpoint.counts()).answered; const t0=performance.now();
await delay(secs*1000);
const a1=(await endpoint.counts()).answered; const c1=cpu(); const dt=(performance.now()-t0)/1000;
const n=a1-a0; for(const [k,v] of sys) console.log("arena sys us/push", ((v-(s0.get(k)??0))*1e4/n).toFixed(1)); console.log(`pushes/s ${(n/dt).toFixed(0)}`);
const groups=new Map<string,number>();
for(const [k,v] of c1){ const d=v-(c0.get(k)??0); if(d<=0) continue; let g=k.includes("postgres:")? "pg: "+(/postgres:\s*(\S+ \S+)/.exec(k)?.[1]??""): k.includes("bare-endpoint")?"endpoint": k.includes("serve")||k.includes("main.ts")?"arena?: "+k: "other: "+k; if(g.startsWith("pg: ")) g = /agon|root|postgres (bench|agon)/.test(k)||k.includes("127.0.0.1")||k.includes("local")?"pg: backends":g; if(g.startsWith("other")&&d<10) continue; groups.set(g,(groups.get(g)??0)+d);}
for(const [g,v] of [...groups].sort((a,b)=>b[1]-a[1])) console.log(`${(v*1e4/n).toFixed(1).padStart(8)} us/push  ${(v/dt).toFixed(0).padStart(4)}% core  ${g}`);
try { const pg=(await import("pg")).default; const c=new pg.Client(databaseUrl as string); await c.connect();
 const r=await c.query("select relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del, seq_scan, idx_scan from pg_stat_user_tables where n_tup_ins+n_tup_upd>0 order by n_tup_ins+n_tup_upd desc limit 16"); console.table(r.rows);
 const s=await c.query("select left(regexp_replace(query,E'\\s+',' ','g'),60) q, calls, round(total_plan_time::numeric,0) plan_ms, wal_bytes/greatest(rows,1) wal_row, round((total_exec_time)::numeric,0) ms, rows, round((total_exec_time*1000/greatest(rows,1))::numeric,1) us_row from pg_stat_statements order by total_exec_time desc limit 25").catch(()=>undefined); if(s) console.table(s.rows);
 await c.end(); } catch(e){ console.log(String(e)); }
endpoint.setOpen(false);
await arena.stop(); await endpoint.stop(); await postgres.stop();

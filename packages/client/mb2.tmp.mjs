import { spawn } from 'node:child_process';
import { Pool } from 'undici';
import { createRest } from '@virgule/client/rest';
const srv = spawn(process.execPath, ['/tmp/mb/server.mjs'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await new Promise((r) => srv.stdout.once('data', (d) => r(+d)));
const origin = 'http://127.0.0.1:' + port;
const headers = {
  authorization: 'Bot xyzxyzxyzxyzxyzxyz',
  'user-agent': 'Virgule/0.1.0',
  'content-type': 'application/json',
};
const ids = Array.from(
  { length: 4096 },
  (_, i) => '8a5c0e7f-d913-4b26-ae84-50f7b3' + String(100000 + i),
);
const pool = new Pool(origin, { connections: 64, pipelining: 1 });
const rest = createRest({ token: 'xyzxyzxyzxyzxyzxyz', baseUrl: origin });
let n = 0;
const variants = {
  floor: async () => {
    const id = ids[n++ & 4095];
    const r = await pool.request({
      path: '/api/bot/v1/interactions/' + id + '/response',
      method: 'POST',
      headers,
      body: JSON.stringify({ content: 'hello there you' }),
    });
    await r.body.dump();
  },
  client: async () => {
    const id = ids[n++ & 4095];
    await rest.interactions.respond(
      id,
      { content: 'hello there you', attachments: undefined, replyToMessageId: undefined },
      {
        signal: undefined,
        deadlineMs: 2000,
        priority: undefined,
        onRetry: undefined,
        isRetry: undefined,
        ...(process.env.ALONE ? { isSequential: true } : {}),
      },
    );
  },
};
const N = +process.argv[2] || 30000,
  ROUNDS = +process.argv[3] || 5,
  C = 64;
const only = process.argv[4];
function go(f, N) {
  return new Promise((res) => {
    let left = N,
      out = 0;
    const next = () => {
      if (left-- <= 0) return;
      out++;
      f().then(
        () => {
          out--;
          if (left <= 0 && out === 0) res();
          else setImmediate(next);
        },
        (e) => {
          console.error(e);
          process.exit(1);
        },
      );
    };
    for (let i = 0; i < C; i++) next();
  });
}
async function run(v) {
  await go(variants[v], 2000);
  const c0 = process.cpuUsage();
  await go(variants[v], N);
  const c = process.cpuUsage(c0);
  return { us: (c.user + c.system) / N, user: c.user / N };
}
const res = {};
for (let r = 0; r < ROUNDS; r++)
  for (const v in variants) {
    if (only && v !== only) continue;
    (res[v] ??= []).push(await run(v));
  }
const med = (a) => a.toSorted((x, y) => x - y)[a.length >> 1];
for (const v in res)
  console.log(
    v.padEnd(10),
    'us',
    med(res[v].map((x) => x.us)).toFixed(2),
    'user',
    med(res[v].map((x) => x.user)).toFixed(2),
    'ratio',
    res.floor ? med(res[v].map((x, i) => x.us / res.floor[i].us)).toFixed(3) : '',
  );
srv.kill();
process.exit();

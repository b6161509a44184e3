import { setTimeout as pause } from 'node:timers/promises';
import { createReloadProject } from './reload-project.js';
import { startVirguleDev } from './virgule-dev.js';

export interface KillResult {
  readonly kills: number;
  readonly asked: number;
  readonly unanswered: number;
  readonly reconnects: number;
  /** Time from each kill to the first answer of the next process, in seconds. */
  readonly seconds: readonly number[];
  /** `true` if the simulator and its page responded all the time. */
  readonly pageAlive: boolean;
}

const PID = `export default { description: 'Pid', run: (): string => String(process.pid) };\n`;
/** Duration of the traffic before and after a kill, in milliseconds. */
const TRAFFIC_MS = 1_500;
/** Time between two commands: 100 per second. */
const COMMAND_INTERVAL_MS = 10;

/** Kills the bot's process during traffic. */
export async function measureKill(kills: number): Promise<KillResult> {
  const project = createReloadProject(10);
  project.write('commands/pid.ts', PID);
  const dev = await startVirguleDev(project);
  const pending = new Set<Promise<unknown>>();
  const seconds: number[] = [];
  let asked = 0;
  let unanswered = 0;
  let pageAlive = true;
  let pid = Number(await dev.chat.ask('/pid'));
  let killedMs: number | undefined;

  const traffic = setInterval(() => {
    asked += 1;
    const answered = dev.chat.ask('/pid').then((answer) => {
      pending.delete(answered);
      if (answer === undefined) unanswered += 1;
      else if (killedMs !== undefined && Number(answer) > 0 && Number(answer) !== pid) {
        seconds.push((performance.now() - killedMs) / 1_000);
        killedMs = undefined;
        pid = Number(answer);
      }
    });
    pending.add(answered);
    if (asked % 20 === 0)
      dev.chat.identifies().catch(() => {
        pageAlive = false;
      });
  }, COMMAND_INTERVAL_MS);

  try {
    for (let n = 0; n < kills; n += 1) {
      await pause(TRAFFIC_MS);
      killedMs = performance.now();
      process.kill(pid, 'SIGKILL');
      while (seconds.length <= n) await pause(COMMAND_INTERVAL_MS);
    }
    await pause(TRAFFIC_MS);
    clearInterval(traffic);
    await Promise.all(pending);
    const reconnects = (await dev.chat.identifies()) - 1;
    return { kills, asked, unanswered, reconnects, seconds, pageAlive };
  } finally {
    clearInterval(traffic);
    await dev.close();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { startScript } from './start-script.ts';

/**
 * Starts the service as `npm start` does, without a simulated market, with these settings; with
 * `command`, as that command of an installed package does.
 */
export function startService(settings: {
  readonly port: number;
  readonly dataDir: string;
  readonly key: string;
  readonly command?: string | null;
  readonly more?: Readonly<Record<string, string>>;
}): ChildProcess {
  const { environment, options } = startScript();
  const asked = ['start', '--no-simulate'];
  const { command = null } = settings;
  const program = command ?? process.execPath;
  const args = command === null ? [...options, resolve('src/main.ts'), ...asked] : asked;
  return spawn(program, args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...(command === null ? environment : { PATH: `${dirname(program)}:/usr/bin:/bin` }),
      MINTSCOPE_PORT: String(settings.port),
      MINTSCOPE_DATA_DIR: settings.dataDir,
      MINTSCOPE_BOOTSTRAP_KEY: settings.key,
      ...settings.more,
    },
  });
}

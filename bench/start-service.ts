import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { startScript } from './start-script.ts';

/** Starts the service as `npm start` does, without a simulated market, with these settings. */
export function startService(settings: {
  readonly port: number;
  readonly dataDir: string;
  readonly key: string;
  readonly more?: Readonly<Record<string, string>>;
}): ChildProcess {
  const { environment, options } = startScript();
  const args = [...options, resolve('src/main.ts'), 'start', '--no-simulate'];
  return spawn(process.execPath, args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...environment,
      MINTSCOPE_PORT: String(settings.port),
      MINTSCOPE_DATA_DIR: settings.dataDir,
      MINTSCOPE_BOOTSTRAP_KEY: settings.key,
      ...settings.more,
    },
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { startScript } from '../start-script.ts';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a script with an order as its argument until it ends. What it prints is printed; what it
 * reports is passed on. It is killed when this process ends.
 */
export async function runScript<Report>(
  path: string,
  order: object,
  onReport: (report: Report, child: ChildProcess) => void,
): Promise<Ending> {
  const child = spawn(process.execPath, [...process.execArgv, path, JSON.stringify(order)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, ...startScript().environment },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.on('message', (report) => onReport(report as Report, child));
  const [code, signal] = await once(child, 'close');
  process.off('exit', kill);
  return { code, signal };
}

/** Reports to the process that runs this one. Resolves when the report has left this process. */
export function report<Report>(message: Report): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  return promise;
}

const die = () => process.kill(process.pid, 'SIGKILL');

/** The order of this process, which ends when the one that runs it does. Call `endReports` last. */
export function orderOf<Order>(): Order {
  process.once('disconnect', die);
  return JSON.parse(process.argv[2] ?? '{}') as Order;
}

/** Lets this process end by itself. */
export function endReports(): void {
  process.off('disconnect', die);
  process.disconnect?.();
}

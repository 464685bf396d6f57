import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixed, printTable } from './table.ts';

/** The used part of V8's `.cpuprofile`. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const IDLE = '(idle)';

/** Prints, for each profiled thread, the functions with the most time. */
export function printProfiles(folder: string, top: number): void {
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort()) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const microsOf = selfMicros(profile);
    const allMicros = profile.timeDeltas.reduce((sum, micros) => sum + micros, 0);
    const busyMicros = allMicros - (microsOf.get(IDLE) ?? 0);
    const rows = [...microsOf]
      .filter(([name]) => name !== IDLE)
      .sort(([, one], [, other]) => other - one)
      .slice(0, top)
      .map(([name, micros]) => [name, fixed((micros / busyMicros) * 100, 1)]);
    const share = fixed((busyMicros / allMicros) * 100, 0);
    printTable(`${file}: busy ${share} % of the time`, [['function', '% of busy'], ...rows]);
  }
}

/** Microseconds by function, without its callees. */
function selfMicros({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === '' ? '' : ` ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
      return [id, `${functionName === '' ? '(anonymous)' : functionName}${place}`];
    }),
  );
  const micros = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '?';
    micros.set(name, (micros.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return micros;
}

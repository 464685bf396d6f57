/**
 * Runs the simulated market as `npm start` does, records the memory of the service, and fails when
 * it is not bounded: above the limit, or still growing over the last half.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LiveService } from '../bench/live-service.ts';
import { trendOf } from '../bench/live-statistics.ts';
import { fixed, printTable } from '../bench/table.ts';

const HELP = `Runs the simulated market as npm start does and watches the service's memory.
Exits with 1 when it was above the limit or grew over the last half by more than twice the error.

  --minutes <number>     how long is watched, after a minute of warming up (15)
  --limit-mib <number>   most resident memory (1024)
  --json                 prints one JSON document

Examples:
  npm run soak:demo
  npm run soak:demo -- --minutes 60 --json`;

const WARM_UP_MS = 60_000;
const SAMPLE_MS = 5_000;
const MEBIBYTE = 2 ** 20;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    'limit-mib': { type: 'string', default: '1024' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const minutes = Number(options.minutes);
const limitMib = Number(options['limit-mib']);
if (!(minutes > 0 && limitMib > 0)) {
  console.error('--minutes and --limit-mib take positive numbers.');
  process.exit(2);
}

interface Sample {
  readonly minute: number;
  readonly residentMib: number;
  readonly heapMib: number;
}

const folder = mkdtempSync(join(tmpdir(), 'mintscope-demo-'));
const service = new LiveService({
  dataDir: join(folder, 'data'),
  rpcUrl: null,
  profileDir: null,
});
try {
  await service.url();
  await sleep(WARM_UP_MS);
  const samples = await watch();
  await service.stop();
  process.exitCode = report(samples) ? 0 : 1;
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function watch(): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startMs = performance.now();
  for (let nowMs = startMs; nowMs < startMs + minutes * 60_000; nowMs = performance.now()) {
    const metrics = await service.metrics();
    const sample = {
      minute: (nowMs - startMs) / 60_000,
      residentMib: metrics.value('process_resident_memory_bytes') / MEBIBYTE,
      heapMib: metrics.sum('mintscope_heap_used_bytes') / MEBIBYTE,
    };
    samples.push(sample);
    console.error(`${fixed(sample.minute, 1)} min: ${fixed(sample.residentMib, 0)} MiB resident`);
    await sleep(SAMPLE_MS);
  }
  return samples;
}

function report(samples: readonly Sample[]): boolean {
  const later = samples.slice(Math.floor(samples.length / 2));
  const trend = (field: 'residentMib' | 'heapMib') =>
    trendOf(later.map((sample) => ({ x: sample.minute, y: sample[field] })));
  const [resident, heap] = [trend('residentMib'), trend('heapMib')];
  const mostMib = Math.max(...samples.map(({ residentMib }) => residentMib));
  const isBounded = mostMib <= limitMib && resident.slope <= 2 * resident.standardError;
  if (options.json) {
    console.log(JSON.stringify({ minutes, mostMib, resident, heap, isBounded }, null, 2));
    return isBounded;
  }
  const line = ({ slope, standardError }: typeof heap) =>
    `${fixed(slope, 2)} ± ${fixed(standardError, 2)}`;
  printTable(`The simulated market for ${minutes} minutes`, [
    ['what', 'measured', 'wanted'],
    ['most resident memory', `${fixed(mostMib, 0)} MiB`, `${limitMib} MiB`],
    ['resident memory, MiB a minute over the last half', line(resident), 'zero within 2 errors'],
    ['heaps, MiB a minute over the last half', line(heap), ''],
  ]);
  return isBounded;
}

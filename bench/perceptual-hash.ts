/**
 * Hashes of recorded pictures compared with sharp-phash, in interleaved rounds of the same process,
 * by processor time, so that other load on the machine has little effect.
 * node bench/perceptual-hash.ts (needs MINTSCOPE_TEST_DATA)
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { hashPicture } from '../src/offchain/images/hash-picture.ts';
import { fixed, integer, printTable } from './table.ts';

// Its types describe another module shape than the real one.
const sharpPhash = createRequire(import.meta.url)('sharp-phash') as (
  bytes: Buffer,
) => Promise<string>;

const ROUNDS = 15;
const WARMUPS = 3;

export async function benchPerceptualHash(testData: string): Promise<void> {
  const folder = join(testData, 'labels/phash');
  if (!existsSync(folder)) return console.log(`No pictures in ${folder}.`);
  const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(jpg|png)$/.test(file))
    .map((file) => readFileSync(join(folder, file)));
  // One thread each and no cache of earlier pictures, as in a service that hashes third-party
  // pictures.
  sharp.cache(false);
  sharp.concurrency(1);
  const tasks = [
    {
      name: 'Mintscope',
      hash: async (bytes: Buffer) => await hashPicture(bytes),
      times: [] as number[],
    },
    {
      name: 'sharp-phash',
      hash: async (bytes: Buffer) => await sharpPhash(bytes),
      times: [] as number[],
    },
  ];
  for (let round = -WARMUPS; round < ROUNDS; round++) {
    for (const { hash, times } of round % 2 === 0 ? tasks : tasks.toReversed()) {
      const before = process.cpuUsage();
      for (const bytes of pictures) await hash(bytes);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.push((user + system) / 1_000);
    }
  }
  const rates = tasks.map(({ times }) => (pictures.length / median(times)) * 1_000);
  printTable(`Perceptual hash of ${pictures.length} pictures`, [
    ['', 'pictures per second of a core', '× sharp-phash'],
    ...tasks.map(({ name }, at) => [
      name,
      integer(rates[at] ?? 0),
      fixed((rates[at] ?? 0) / (rates[1] ?? 1), 2),
    ]),
  ]);
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}

if (import.meta.main) {
  await benchPerceptualHash(resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data'));
}

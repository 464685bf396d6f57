/**
 * Applies a market to an engine of its own, in one go and without restarts, and prints the digest of
 * its state as the last line: for comparison with an engine that was bounded, stored and restarted.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integer } from '../table.ts';
import { GrowingMarket } from './growing-market.ts';
import type { MarketOptions } from './market-options.ts';
import { runMarket } from './measured-run.ts';
import { StoredSubject, UnboundedSubject } from './state-subject.ts';

export interface ReferenceRun {
  readonly options: MarketOptions;
  /** Swaps of the market, from its first slot on. */
  readonly swaps: number;
  /** Bound of the state if so many swaps do not fit into memory, in bytes. */
  readonly stateMemoryBytes: number;
}

/** States of more swaps than these are bounded too. */
const UNBOUNDED_SWAPS_MAX = 5_000_000;

/** Whether the engine of a reference keeps all of its state in memory. */
export type ReferenceKind = 'unbounded' | 'bounded';

export function referenceKindOf(swaps: number): ReferenceKind {
  return swaps <= UNBOUNDED_SWAPS_MAX ? 'unbounded' : 'bounded';
}

/** Runs it in a process of its own, whose memory is free afterwards. */
export function referenceDigest(run: ReferenceRun): string {
  const script = [...process.execArgv, import.meta.filename, JSON.stringify(run)];
  const { status, stdout } = spawnSync(process.execPath, script, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the process of the reference ended with ${status}`);
  return stdout.trimEnd();
}

async function computeDigest({ options, swaps, stateMemoryBytes }: ReferenceRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-reference-'));
  try {
    const subject =
      referenceKindOf(swaps) === 'unbounded'
        ? new UnboundedSubject()
        : await StoredSubject.open({ stateMemoryBytes, folder });
    await runMarket({
      market: new GrowingMarket(options),
      subject,
      stored: { store: () => undefined },
      swaps,
      onProgress: (sample) => console.error(`reference: ${integer(sample.swaps)} swaps`),
    });
    return subject.engine.digest();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  console.log(await computeDigest(JSON.parse(process.argv[2] as string) as ReferenceRun));
}

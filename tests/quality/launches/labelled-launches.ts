import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, Signature } from '../../../src/model/units.ts';

/** A purchase in a launch's slot, according to the labels. */
export interface LabelledBuy {
  readonly txIndex: number;
  readonly signer: Address;
  readonly signature: Signature;
  readonly lamports: bigint;
  readonly baseRaw: bigint;
  readonly isBundled: boolean;
}

/** A real launch of pump.fun whose collector checked its bundle transaction by transaction. */
export interface LabelledLaunch {
  readonly mint: Address;
  readonly slot: number;
  readonly creator: Address;
  /** Of the creation, in its block. */
  readonly txIndex: number;
  readonly buys: readonly LabelledBuy[];
}

/** The labelled launches in the folder of recorded data. Throws Error where it is absent. */
export function readLabelledLaunches(folder: string): readonly LabelledLaunch[] {
  const text = readFileSync(join(folder, 'labels/launches/bundled_launch_buys.csv'), 'utf8');
  const [header = '', ...lines] = text.trim().split('\n');
  const names = header.trim().split(',');
  const rows = lines.map((line) => {
    const cells = line.trim().split(',');
    return (name: string) => cells[names.indexOf(name)] ?? '';
  });
  return [...Map.groupBy(rows, (cell) => cell('mint'))].map(([mint, own]) => ({
    mint: mint as Address,
    slot: Number(own[0]?.('creation_slot')),
    creator: (own[0]?.('creator') ?? '') as Address,
    txIndex: Number(own[0]?.('creation_tx_index')),
    buys: own.map((cell) => ({
      txIndex: Number(cell('tx_index')),
      signer: cell('signer') as Address,
      signature: cell('signature') as Signature,
      lamports: BigInt(Math.round(Number(cell('sol')) * 1e9)),
      baseRaw: BigInt(Math.round(Number(cell('tokens')) * 1e6)),
      isBundled: cell('in_bundle_block') === '1',
    })),
  }));
}

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../tests/support/build-transaction.ts';
import { TapeNode } from './live-node.ts';
import { isPlayable, OpenTape } from './live-open-tape.ts';
import {
  BLOCKS_FOLDER,
  INDEX_FILE,
  isTapeOf,
  type Tape,
  tapeConfig,
  UNFINISHED_INDEX_FILE,
} from './live-tape.ts';

const PLAN = {
  seed: 'test',
  warmupSlots: 1,
  votesPerBlock: 0,
  loadPercent: 100,
  mix: 'trades',
  blocks: 4,
} as const;
const FIRST_SLOT = 400_000_001;
const MADE_AT = 1_767_225_600;
const PLAYED_AT = 1_800_000_000;
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v';

let folder = '';
let tape: Tape;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-tape-'));
  mkdirSync(join(folder, BLOCKS_FOLDER));
  const head = {
    config: tapeConfig(PLAN),
    warmupSlots: 1,
    mix: PLAN.mix,
    accounts: [account('before')],
  };
  const blocks = [0, 1, 2, 3].map((index) => {
    const slot = FIRST_SLOT + index;
    const blockTime = MADE_AT + index;
    const text = `{"blockHeight":${slot},"blockTime":${blockTime},"blockhash":"hash ${index}"}`;
    const name = `block_${slot}.json.zst`;
    writeFileSync(join(folder, BLOCKS_FOLDER, name), zstdCompressSync(text));
    return {
      slot,
      parentSlot: slot - 1,
      blockHeight: slot,
      blockhash: `hash ${index}`,
      previousBlockhash: `hash ${index - 1}`,
      blockTime,
      leader: address('leader'),
      transactions: 0,
      votes: 0,
      traded: [],
      accounts: index === 2 ? [account('after')] : [],
    };
  });
  const lines = [head, ...blocks].map((value) => JSON.stringify(value));
  writeFileSync(join(folder, INDEX_FILE), `${lines.join('\n')}\n`);
  const read = await OpenTape.open(folder);
  if (read === null) throw new Error('the tape was written a moment ago');
  tape = read;
});
afterAll(() => rmSync(folder, { recursive: true }));

function account(data: string) {
  return { address: MINT, value: { data: [data, 'base64'] } };
}

/**
 * Plays this many blocks after the first, sends a request, and returns the answer and the reports.
 */
async function play(blocks: number, calls: readonly (readonly [string, ...unknown[]])[]) {
  const served: number[] = [];
  const node = new TapeNode(tape, PLAYED_AT, { onServed: (slot) => served.push(slot) });
  for (let passed = 0; passed < blocks; passed++) node.advance();
  const url = `http://127.0.0.1:${await node.listen()}`;
  const answers: unknown[] = [];
  for (const [method, ...params] of calls) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    answers.push(await (await fetch(url, { method: 'POST', headers, body })).json());
  }
  await node.close();
  return { answers, served, left: node.blocksLeft };
}

const WHOLE = {
  encoding: 'base64',
  transactionDetails: 'full',
  rewards: false,
  maxSupportedTransactionVersion: 1,
  commitment: 'confirmed',
};
const CONFIRMED = { commitment: 'confirmed' };

describe('a node that plays a tape', () => {
  it('delivers a block once the next one exists, with its time shifted', async () => {
    const { answers, served, left } = await play(2, [
      ['getBlocksWithLimit', FIRST_SLOT, 9, CONFIRMED],
      ['getBlock', FIRST_SLOT + 1, WHOLE],
      ['getBlock', FIRST_SLOT + 2, WHOLE],
    ]);
    expect(answers[0]).toMatchObject({ result: [FIRST_SLOT, FIRST_SLOT + 1] });
    // The second block was made a second after the first, which is shown as of PLAYED_AT.
    expect(answers[1]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { blockHeight: FIRST_SLOT + 1, blockTime: PLAYED_AT + 1, blockhash: 'hash 1' },
    });
    expect(answers[2]).toMatchObject({ error: { code: -32004 } });
    expect(served).toEqual([FIRST_SLOT + 1]);
    expect(left).toBe(1);
  });

  it('returns accounts as of the newest delivered block', async () => {
    const question = [['getMultipleAccounts', [MINT, 'nobody'], CONFIRMED]] as const;
    const before = await play(2, question);
    expect(before.answers).toMatchObject([
      { result: { context: { slot: FIRST_SLOT + 1 }, value: [account('before').value, null] } },
    ]);
    const after = await play(3, question);
    expect(after.answers).toMatchObject([
      { result: { context: { slot: FIRST_SLOT + 2 }, value: [account('after').value, null] } },
    ]);
  });

  it('stays where it is at the end of the tape', () => {
    const node = new TapeNode(tape, PLAYED_AT, { onServed: () => undefined });
    const passed = [1, 2, 3, 4].map(() => node.advance()?.slot ?? null);
    expect(passed).toEqual([FIRST_SLOT + 1, FIRST_SLOT + 2, FIRST_SLOT + 3, null]);
    expect(node.tip.slot).toBe(FIRST_SLOT + 3);
  });
});

describe('a tape', () => {
  it('can be used for shorter plans of the same market only', () => {
    expect(isTapeOf(tape, PLAN)).toBe(true);
    expect(isTapeOf(tape, { ...PLAN, blocks: 3 })).toBe(true);
    expect(isTapeOf(tape, { ...PLAN, blocks: 5 })).toBe(false);
    expect(isTapeOf(tape, { ...PLAN, seed: 'other' })).toBe(false);
    expect(isTapeOf(tape, { ...PLAN, votesPerBlock: 1 })).toBe(false);
    expect(isTapeOf(tape, { ...PLAN, loadPercent: 50 })).toBe(false);
    expect(isTapeOf(tape, { ...PLAN, warmupSlots: 2 })).toBe(false);
    expect(isTapeOf(tape, { ...PLAN, mix: 'mainnet' })).toBe(false);
  });

  it('cannot be opened without an index', async () => {
    expect(await OpenTape.open(join(folder, BLOCKS_FOLDER))).toBeNull();
  });

  it('that is being made has the blocks whose lines are whole, and later the others', async () => {
    const growing = mkdtempSync(join(tmpdir(), 'mintscope-growing-tape-'));
    const index = join(growing, UNFINISHED_INDEX_FILE);
    const lines = readFileSync(join(folder, INDEX_FILE), 'utf8').split('\n');
    const [head = '', first = '', second = '', ...others] = lines;
    writeFileSync(index, head);
    expect(await OpenTape.open(growing), 'half of its first line').toBeNull();
    writeFileSync(index, `${head}\n${first}\n${second.slice(0, 50)}`);
    const opened = await OpenTape.open(growing);
    await (await OpenTape.open(growing))?.close();
    expect(opened?.blocks).toEqual(tape.blocks.slice(0, 1));
    expect(opened?.isComplete).toBe(false);
    appendFileSync(index, `${second.slice(50)}\n`);
    await opened?.readOn();
    expect(opened?.blocks).toEqual(tape.blocks.slice(0, 2));
    appendFileSync(index, others.join('\n'));
    renameSync(index, join(growing, INDEX_FILE));
    await opened?.readOn();
    expect(opened?.blocks).toEqual(tape.blocks);
    expect(opened?.isComplete).toBe(true);
    rmSync(growing, { recursive: true });
  });

  it('that is complete can be played for plans it fits', async () => {
    expect(await isPlayable(folder, PLAN, PLAN.blocks)).toBe(true);
    expect(await isPlayable(folder, { ...PLAN, seed: 'other' }, PLAN.blocks)).toBe(false);
  });

  it('that another run makes can be played once it has enough blocks, and is never made anew', async () => {
    const growing = mkdtempSync(join(tmpdir(), 'mintscope-shared-tape-'));
    const index = join(growing, UNFINISHED_INDEX_FILE);
    const lines = readFileSync(join(folder, INDEX_FILE), 'utf8').split('\n');
    writeFileSync(index, `${lines.slice(0, 3).join('\n')}\n`);
    expect(await isPlayable(growing, PLAN, 2)).toBe(true);
    await expect(isPlayable(growing, PLAN, 3)).rejects.toThrow(/another run makes blocks/);
    const other = { ...PLAN, seed: 'other' };
    await expect(isPlayable(growing, other, 2)).rejects.toThrow(/another run makes blocks/);
    utimesSync(index, new Date(), new Date(Date.now() - 60_000));
    expect(await isPlayable(growing, PLAN, 2), 'nobody has written for a minute').toBe(false);
    rmSync(growing, { recursive: true });
  });
});

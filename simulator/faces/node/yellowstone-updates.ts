import { ProtobufWriter } from '../../../src/lib/protobuf-writer.ts';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import { keysOf } from '../format-instructions.ts';
import type { Commitment } from './block-window.ts';
import { passes, passesAccounts, type StreamRequest } from './yellowstone-request.ts';
import { writeTransactionInfo } from './yellowstone-transaction.ts';

/** Field numbers of the oneof in `SubscribeUpdate`. */
const FIELD = { slot: 3, transaction: 4, block: 5, ping: 6, blockMeta: 7, pong: 9, createdAt: 11 };

/**
 * The updates about a block that reached the request's commitment: transactions, then the block,
 * then its meta. Each is encoded when it is requested.
 */
export function* blockUpdates(
  block: SimulatedBlock,
  request: StreamRequest,
): Generator<Uint8Array> {
  for (const [index, transaction] of block.transactions.entries()) {
    const names = namesOf(request.transactions, (filter) => passes(filter, transaction));
    if (names.length === 0) continue;
    yield update(names, block, FIELD.transaction, (writer) => {
      writer.message(1, () => writeTransactionInfo(writer, transaction, index));
      writer.unsigned(2, block.slot);
      writer.unsigned(3, bankOf(block));
    });
  }
  for (const [name, { accountInclude, includeTransactions }] of request.blocks) {
    yield update([name], block, FIELD.block, (writer) => {
      writeHead(writer, block, { parentSlot: 7, parentBlockhash: 8, count: 9 });
      if (!includeTransactions) return;
      for (const [index, transaction] of block.transactions.entries()) {
        if (!passesAccounts(accountInclude, new Set<string>(keysOf(transaction)))) continue;
        writer.message(6, () => writeTransactionInfo(writer, transaction, index));
      }
    });
  }
  const names = [...request.blocksMeta.keys()];
  if (names.length === 0) return;
  yield update(names, block, FIELD.blockMeta, (writer) => {
    writeHead(writer, block, { parentSlot: 6, parentBlockhash: 7, count: 8 });
    writer.unsigned(10, bankOf(block));
  });
}

const STATUSES: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/** Null if no filter matches. */
export function slotUpdate(
  block: SimulatedBlock,
  status: Commitment,
  request: StreamRequest,
): Uint8Array | null {
  const names = namesOf(
    request.slots,
    ({ filterByCommitment }) => !filterByCommitment || status === request.commitment,
  );
  if (names.length === 0) return null;
  return update(names, block, FIELD.slot, (writer) => {
    writer.unsigned(1, block.slot);
    writer.optionalUnsigned(2, block.parentSlot);
    writer.unsigned(3, STATUSES.indexOf(status));
    writer.optionalUnsigned(5, bankOf(block));
  });
}

export function pingUpdate(): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(FIELD.ping, () => undefined);
  return writer.done();
}

export function pongUpdate(id: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(FIELD.pong, () => writer.unsigned(1, id));
  return writer.done();
}

function update(
  names: readonly string[],
  { blockTime }: SimulatedBlock,
  member: number,
  write: (writer: ProtobufWriter) => void,
): Uint8Array {
  const writer = new ProtobufWriter();
  for (const name of names) writer.entry(1, name);
  writer.message(member, () => write(writer));
  writer.message(FIELD.createdAt, () => writer.unsigned(1, blockTime));
  return writer.done();
}

interface HeadFields {
  readonly parentSlot: number;
  readonly parentBlockhash: number;
  readonly count: number;
}

function writeHead(writer: ProtobufWriter, block: SimulatedBlock, fields: HeadFields): void {
  writer.unsigned(1, block.slot);
  writer.text(2, block.blockhash);
  writer.message(4, () => writer.unsigned(1, block.blockTime));
  writer.message(5, () => writer.unsigned(1, block.blockHeight));
  writer.unsigned(fields.parentSlot, block.parentSlot);
  writer.text(fields.parentBlockhash, block.previousBlockhash);
  writer.unsigned(fields.count, block.transactions.length);
}

function namesOf<Filter>(
  filters: ReadonlyMap<string, Filter>,
  isFit: (filter: Filter) => boolean,
): string[] {
  return [...filters].filter(([, filter]) => isFit(filter)).map(([name]) => name);
}

/** Blocks of one slot differ in their hash: a number derived from it distinguishes their banks. */
function bankOf({ blockhash }: SimulatedBlock): number {
  let bank = 7;
  for (const letter of blockhash) bank = (bank * 31 + letter.charCodeAt(0)) % 1_000_000_007;
  return bank;
}

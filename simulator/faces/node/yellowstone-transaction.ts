import { decodeBase58 } from '../../../src/lib/base58.ts';
import type { ProtobufWriter } from '../../../src/lib/protobuf-writer.ts';
import type {
  CompiledInstruction,
  SimulatedError,
  SimulatedTokenBalance,
  SimulatedTransaction,
} from '../../chain/simulated-transaction.ts';
import { uiTokenBalance } from '../ui-token-amount.ts';

/**
 * Writes a `SubscribeUpdateTransactionInfo` (geyser.proto; its contents by
 * storage-proto/proto/confirmed_block.proto of Agave).
 */
export function writeTransactionInfo(
  writer: ProtobufWriter,
  transaction: SimulatedTransaction,
  index: number,
): void {
  writer.bytes(1, bytesOf(transaction.signatures[0] ?? ''));
  writer.flag(2, transaction.isVote);
  writer.message(3, () => writeTransaction(writer, transaction));
  writer.message(4, () => writeMeta(writer, transaction));
  writer.unsigned(5, index);
}

function writeTransaction(writer: ProtobufWriter, transaction: SimulatedTransaction): void {
  for (const signature of transaction.signatures) writer.bytes(1, bytesOf(signature));
  writer.message(2, () => writeMessage(writer, transaction));
}

function writeMessage(writer: ProtobufWriter, transaction: SimulatedTransaction): void {
  const { header, instructions, lookups, recentBlockhash, staticKeys, version } = transaction;
  writer.message(1, () => {
    writer.unsigned(1, header.requiredSignatures);
    writer.unsigned(2, header.readonlySigned);
    writer.unsigned(3, header.readonlyUnsigned);
  });
  for (const key of staticKeys) writer.bytes(2, bytesOf(key));
  writer.bytes(3, bytesOf(recentBlockhash));
  for (const instruction of instructions) {
    if (instruction.innerIx < 0) writer.message(4, () => writeInstruction(writer, instruction));
  }
  writer.flag(5, version === 0);
  for (const { table, writableIndexes, readonlyIndexes } of lookups) {
    writer.message(6, () => {
      writer.bytes(1, bytesOf(table));
      writer.bytes(2, writableIndexes);
      writer.bytes(3, readonlyIndexes);
    });
  }
}

function writeInstruction(writer: ProtobufWriter, instruction: CompiledInstruction): void {
  writer.unsigned(1, instruction.programIndex);
  writer.bytes(2, instruction.accountIndexes);
  writer.bytes(3, instruction.data);
}

function writeMeta(writer: ProtobufWriter, transaction: SimulatedTransaction): void {
  const { error, logs, tokenBalances } = transaction;
  if (error !== null) writer.message(1, () => writer.bytes(1, bincodeOf(error)));
  writer.unsigned(2, transaction.feeLamports);
  writer.packed(3, transaction.lamportsBefore);
  writer.packed(4, transaction.lamportsAfter);
  writeInner(writer, transaction.instructions);
  for (const line of logs) writer.entry(6, line);
  writeBalances(writer, 7, tokenBalances, 'beforeRaw');
  writeBalances(writer, 8, tokenBalances, 'afterRaw');
  for (const key of transaction.loadedWritable) writer.bytes(12, bytesOf(key));
  for (const key of transaction.loadedReadonly) writer.bytes(13, bytesOf(key));
  writer.flag(15, true);
  writer.optionalUnsigned(16, transaction.computeUnitsUsed);
}

/** One group for each outer instruction that has inner ones. */
function writeInner(writer: ProtobufWriter, instructions: readonly CompiledInstruction[]): void {
  const inner = instructions.filter(({ innerIx }) => innerIx >= 0);
  const outerIxs = new Set(inner.map(({ outerIx }) => outerIx));
  for (const index of outerIxs) {
    writer.message(5, () => {
      writer.unsigned(1, index);
      for (const instruction of inner) {
        if (instruction.outerIx !== index) continue;
        writer.message(2, () => {
          writeInstruction(writer, instruction);
          writer.optionalUnsigned(4, instruction.stackHeight);
        });
      }
    });
  }
}

function writeBalances(
  writer: ProtobufWriter,
  field: number,
  balances: readonly SimulatedTokenBalance[],
  side: 'beforeRaw' | 'afterRaw',
): void {
  for (const { accountIndex, mint, owner, tokenProgram, decimals, [side]: raw } of balances) {
    if (raw === null) continue;
    writer.message(field, () => {
      writer.unsigned(1, accountIndex);
      writer.text(2, mint);
      writer.message(3, () => {
        const { uiAmountString } = uiTokenBalance(raw, decimals);
        writer.double(1, Number(raw) / 10 ** decimals);
        writer.unsigned(2, decimals);
        writer.text(3, raw.toString());
        writer.text(4, uiAmountString);
      });
      writer.text(4, owner);
      writer.text(5, tokenProgram);
    });
  }
}

/** Variant numbers in the runtime's enums: TransactionError 4 and 8, InstructionError 25. */
function bincodeOf(error: SimulatedError): Uint8Array {
  if (!('InstructionError' in error)) return Uint8Array.of(4, 0, 0, 0);
  const [index, { Custom }] = error.InstructionError;
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32LE(8, 0);
  bytes.writeUInt8(index, 4);
  bytes.writeUInt32LE(25, 5);
  bytes.writeUInt32LE(Custom, 9);
  return bytes;
}

function bytesOf(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes === null) throw new RangeError(`${text} is not base58`);
  return bytes;
}

import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import type { DecodeResult } from '../../src/decoders/legs/decoder.ts';
import { decoderOf, isVenueProgram } from '../../src/decoders/registry.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { TransactionView } from '../../src/decoders/transaction/transaction-view.ts';
import type { Instruction } from '../../src/model/instruction.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import { buildTransaction, type TransactionDraft } from './build-transaction.ts';

/** Results of the program's decoder for the instructions of a draft, in execution order. */
export function decodeDraft(draft: TransactionDraft, index = 0): DecodeResult {
  const transaction = buildTransaction(draft);
  const view = new TransactionView(transaction, isVenueProgram);
  const instruction = transaction.instructions[index] as Instruction;
  const decoder = decoderOf(instruction.programId);
  if (decoder === undefined) throw new Error(`no decoder for ${instruction.programId}`);
  return decoder.decode(instruction, view);
}

/** The whole draft, decoded as in the pipeline. */
export function factsOfDraft(draft: TransactionDraft): TransactionFacts {
  return decodeTransaction(buildTransaction(draft), 0, new Tally());
}

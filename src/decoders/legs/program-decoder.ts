import type { Instruction } from '../../model/instruction.ts';
import type { ProgramName, Venue } from '../../model/program.ts';
import { asAddress } from '../../model/units.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import {
  accountsOf,
  discriminatorBytesOf,
  eventTable,
  instructionTable,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type DecodeResult, type Decoder, IGNORED, malformed, unknown } from './decoder.ts';

/** An instruction to read, with the accounts that its layout names. */
export interface ProgramCall<Accounts extends string, Name extends ProgramName = Venue> {
  readonly name: Name;
  readonly instruction: Instruction;
  readonly view: TransactionView;
  /** Key indices of the accounts; -1 for those that the instruction does not have. */
  readonly at: Readonly<Record<Accounts, number>>;
}

/** Key index of an account of the call; -1 when there is none or it has no name. */
export function indexOf<Accounts extends string>(
  at: Readonly<Record<Accounts, number>>,
  account: Accounts | undefined,
): number {
  return account === undefined ? -1 : at[account];
}

/** What an instruction is: a function made by `swap`, `liquidity` … of its roles, or of its own. */
export type InstructionReader<Accounts extends string, Name extends ProgramName = Venue> = (
  call: ProgramCall<Accounts, Name>,
) => DecodeResult;

/** The same for an instruction that is malformed when one of its accounts is missing. */
export function withAllAccounts<Accounts extends string, Name extends ProgramName = Venue>(
  read: InstructionReader<Accounts, Name>,
): InstructionReader<Accounts, Name> {
  return (call) =>
    Math.min(...Object.values<number>(call.at)) < 0 ? malformed('too few accounts') : read(call);
}

/** The call with the positions of another form of its instruction. */
export function withAccounts<Accounts extends string, Name extends ProgramName>(
  call: ProgramCall<never, Name>,
  accounts: Readonly<Record<Accounts, number>>,
): ProgramCall<Accounts, Name> {
  return { ...call, at: accountsOf(call.instruction, { accounts }) };
}

/** A program as data: what each instruction of its layout is. */
export interface ProgramTable<Name extends ProgramName, Layout extends ProgramLayout> {
  readonly name: Name;
  readonly programId: string;
  readonly layout: Layout;
  /** False: the layout is from sources, and there is no published interface to compare it with. */
  readonly hasPublishedInterface?: false;
  /** Readers by instruction; those of instructions that the layout lacks are left unused. */
  readonly readers: {
    readonly [Instruction in keyof Layout['instructions']]: InstructionReader<
      keyof Layout['instructions'][Instruction]['accounts'] & string,
      Name
    >;
  };
}

/** The decoder of a program that owns pools. */
export function venueDecoder<Name extends Venue, Layout extends ProgramLayout>(
  table: ProgramTable<Name, Layout>,
): Decoder {
  return { ...programDecoder(table), isVenue: true };
}

/**
 * The decoder of a program that owns no pools. Self-events are ignored here, since their
 * instruction's reader reads them.
 */
export function programDecoder<Name extends ProgramName, Layout extends ProgramLayout>(
  table: ProgramTable<Name, Layout>,
): Decoder {
  const { name, layout } = table;
  const instructions = instructionTable(layout);
  const selfEvents = eventTable(layout);
  const tagBytes = discriminatorBytesOf(layout);
  // The names of the layout and its readers are checked where the table is written.
  const readers = table.readers as Readonly<Record<string, InstructionReader<string, Name>>>;
  const decoder: Decoder = {
    name,
    programId: asAddress(table.programId),
    isVenue: false,
    decode(instruction, view) {
      const { data } = instruction;
      if (selfEvents !== null && isSelfEvent(data)) {
        return selfEvents.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
      }
      const kind = instructions.get(data);
      if (kind === undefined) return unknown(data, tagBytes);
      const found = layout.instructions[kind as string];
      const reader = readers[kind as string];
      if (found === undefined || reader === undefined) return IGNORED;
      return reader({ name, instruction, view, at: accountsOf(instruction, found) });
    },
  };
  return table.hasPublishedInterface === false ? decoder : { ...decoder, layout };
}

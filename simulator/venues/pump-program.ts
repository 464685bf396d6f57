import { type Address, asAddress } from '../../src/model/units.ts';
import { readOnly } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';

/** Mainnet accounts of pump.fun's bonding curves that all launches share. */
export const PUMP = {
  program: asAddress('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'),
  global: asAddress('4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf'),
  eventAuthority: asAddress('Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1'),
  mintAuthority: asAddress('TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM'),
  globalVolume: asAddress('Hq2wp8uJ9jCPsYgNHex8RtqdvMPfVGoYwjvF1ATiwn2Y'),
  feeConfig: asAddress('8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt'),
  buybackRecipient: asAddress('A7hAgCzFw14fejgCp387JUJRMNyz4j89JKnhtKU8piqW'),
  /** Receives the remainder of a migration's fee. */
  withdrawAuthority: asAddress('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg'),
  quoteControl: asAddress('6z6GDdfb2AjR9ZhJmAUQ5cipJCVxQvLJhB2H8mCwTFBP'),
} as const;

/** Mainnet accounts of PumpSwap that all pools share. */
export const PUMP_AMM = {
  program: asAddress('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'),
  globalConfig: asAddress('ADyA8hdefvWN2dbGGWFotbzWxrAvLW83WG6QCVXvJKqw'),
  eventAuthority: asAddress('GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR'),
  globalVolume: asAddress('C2aFPdENg4A2HQsmrd5rTw5TaYBX5Ku887cWjbFKtZpw'),
  feeConfig: asAddress('5PHirr8joyTMp9JMm6nW7hNDVyEYdkzDqazxPD7RaTjx'),
  /** Signs purchases from the quote set aside for buybacks. */
  boostAuthority: asAddress('HTVZVEQMBsNanubDPTs3CxDAEGNFQHJY8c1441iy2S5r'),
} as const;

/** One of a program's trade instructions: its discriminator, and its names in logs and events. */
export interface TradeCall<Instruction> {
  readonly discriminator: string;
  readonly logged: string;
  readonly instruction: Instruction;
}

export function tradeCall<Instruction extends string>(
  discriminator: string,
  logged: string,
  instruction: Instruction,
): TradeCall<Instruction> {
  return { discriminator, logged, instruction };
}

/** Tells both programs the fee rates of a trade. */
export const PUMP_FEES_PROGRAM = asAddress('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ');

/** Wallets that receive the protocol's fees. Clients choose one. */
export const FEE_RECIPIENTS: readonly [Address, ...Address[]] = [
  asAddress('62qc2CNXwrYqQScmEdiZFFAnJR262PxWEuNQtxfafNgV'),
  asAddress('FWsW1xNtWscwNmKv6wVsU1iTzRN6wmmk3MjxRP5tT7hz'),
  asAddress('G5UZAVbAf46s7cKWoyKu8kYTip9DGTpbLZ2qa9Aq69dP'),
];

/** The recipient of a slot's fees: all are valid, so the slot number selects one. */
export function feeRecipientOf({ clock }: Execution): Address {
  return FEE_RECIPIENTS[clock.slot % FEE_RECIPIENTS.length] ?? FEE_RECIPIENTS[0];
}

/** Anchor's tag of events that a program sends to itself as an instruction. */
const EVENT_TAG = 'e445a52e51cb9a1d';

/** Emits an event the way both programs do: a log line, and a call to itself. */
export function emitPumpEvent(
  execution: Execution,
  { program, eventAuthority }: Pick<typeof PUMP | typeof PUMP_AMM, 'program' | 'eventAuthority'>,
  event: Uint8Array,
): void {
  execution.logData(event);
  const data = new InstructionBytes().hex(EVENT_TAG).raw(event).done();
  execution.invoke(program, [readOnly(eventAuthority)], data);
}

export interface FeeQuestion {
  readonly isPumpPool: boolean;
  readonly marketCapLamports: bigint;
  readonly tradeLamports: bigint;
}

/** Requests rates from the fee program (`get_fees`), although venues already know them. */
export function askForFees(
  execution: Execution,
  { program, feeConfig }: Pick<typeof PUMP | typeof PUMP_AMM, 'program' | 'feeConfig'>,
  { isPumpPool, marketCapLamports, tradeLamports }: FeeQuestion,
): void {
  const data = new InstructionBytes()
    .hex('e7257e55cf5b3f34')
    .bool(isPumpPool)
    .u128(marketCapLamports)
    .u64(tradeLamports)
    .bool(false)
    .done();
  execution.invoke(PUMP_FEES_PROGRAM, [readOnly(feeConfig), readOnly(program)], data, () =>
    execution.log('Instruction: GetFees'),
  );
}

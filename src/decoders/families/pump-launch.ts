import type { Launch, MetadataSet } from '../../model/chain-event.ts';
import { NO_METAPLEX_FIELDS } from '../../model/metadata-content.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, malformed } from '../legs/decoder.ts';
import { mintedSupply } from '../legs/minted-supply.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { borshRecord } from '../transaction/borsh-record.ts';
import { DISCRIMINATOR_BYTES } from '../transaction/discriminator.ts';
import { createEventLayout, type PumpCreateEvent, readCreateEvent } from './pump-create-event.ts';

/**
 * Reads a launch: the new curve and the metadata of the token. The creator is the wallet that
 * launched the token. The receiver of creator fees is a separate account for tokens that reward
 * their holders, otherwise the wallet named by the instruction.
 */
export function decodePumpLaunch(
  { at, instruction, view }: ProgramCall<'mint' | 'bonding_curve' | 'user' | 'token_program'>,
  name: 'create' | 'create_v2',
): DecodeResult {
  const { keys } = view.transaction;
  const mint = keys.at(at.mint);
  const text = ARGUMENTS.read(instruction.data, DISCRIMINATOR_BYTES);
  if (text === null) return malformed(`${name} arguments end early`);
  const data = view.selfEventOf(instruction, createEventLayout.discriminator);
  const event = data === null ? null : readCreateEvent(data);
  if (data !== null && event === null) return malformed('CreateEvent ends inside its fields');
  const { outerIx, innerIx } = instruction;
  const creator = event?.user ?? keys.at(at.user);
  const feeRecipient = event?.creator ?? text.creator ?? creator;
  const launch: Launch = {
    kind: 'launch',
    outerIx,
    innerIx,
    venue: 'pump',
    mint,
    quoteMint: event?.quoteMint ?? WRAPPED_SOL,
    pool: keys.at(at.bonding_curve),
    creator,
    tokenProgram: keys.at(at.token_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: startOf(event),
    ...(feeRecipient === creator ? null : { feeRecipient }),
  };
  const metadata: MetadataSet = {
    kind: 'metadataSet',
    outerIx,
    innerIx,
    standard: name === 'create' ? 'metaplex' : 'token2022',
    mint,
    name: text.name,
    symbol: text.symbol,
    uri: text.uri,
    ...NO_METAPLEX_FIELDS,
  };
  return events(launch, metadata);
}

/** Name, symbol and link, unmodified; the creator in versions of the program that take one. */
const ARGUMENTS = borshRecord(
  { name: 'string', symbol: 'string', uri: 'string' },
  { creator: 'pubkey' },
);

function startOf(event: PumpCreateEvent | null): Launch['reserves'] {
  if (event === null || event.reserves === null) return null;
  const { realBase, virtualBase, virtualQuote } = event.reserves;
  return {
    base: asRawAmount(realBase),
    quote: asRawAmount(0n),
    virtualBase: asRawAmount(virtualBase),
    virtualQuote: asRawAmount(virtualQuote),
  };
}

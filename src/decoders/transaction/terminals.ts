import type { ChainEvent } from '../../model/chain-event.ts';
import { TERMINAL_OF_FEE_ACCOUNT, type Terminal } from '../../model/terminal-accounts.ts';
import type { Address } from '../../model/units.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';

/** Terminals that trade through their own program. */
const TERMINAL_OF_PROGRAM: ReadonlyMap<string, Terminal> = new Map([
  [ROUTER_PROGRAMS.axiom, 'axiom'],
  [ROUTER_PROGRAMS.banana_gun, 'banana_gun'],
  [ROUTER_PROGRAMS.bloom, 'bloom'],
  [ROUTER_PROGRAMS.gmgn_v1, 'gmgn'],
  [ROUTER_PROGRAMS.gmgn_v2, 'gmgn'],
  [ROUTER_PROGRAMS.nova, 'nova'],
  [ROUTER_PROGRAMS.padre, 'padre'],
  [ROUTER_PROGRAMS.photon, 'photon'],
  [ROUTER_PROGRAMS.trojan, 'trojan'],
]);

/**
 * The trading terminal behind a transaction: that of the first outer program that belongs to a
 * terminal, otherwise the first terminal whose fee account is paid in SOL or tokens. Null when none
 * is known.
 */
export function terminalOf(
  programIds: readonly Address[],
  events: readonly ChainEvent[],
): Terminal | null {
  for (const programId of programIds) {
    const terminal = TERMINAL_OF_PROGRAM.get(programId);
    if (terminal !== undefined) return terminal;
  }
  for (const event of events) {
    const payee = payeeOf(event);
    const terminal = payee === null ? undefined : TERMINAL_OF_FEE_ACCOUNT.get(payee);
    if (terminal !== undefined) return terminal;
  }
  return null;
}

function payeeOf(event: ChainEvent): Address | null {
  if (event.kind !== 'solTransfer' && event.kind !== 'tokenTransfer') return null;
  if (event.transferKind !== 'transfer') return null;
  if (event.kind === 'solTransfer') return event.lamports > 0n ? event.to : null;
  return event.amountGross > 0n ? event.toOwner : null;
}

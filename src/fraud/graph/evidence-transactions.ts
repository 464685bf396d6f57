import type { Classification, EvidencePayload } from '../../model/fraud.ts';
import type { Address, Signature, Slot } from '../../model/units.ts';

/** Slots of the log that one graph may read: decoding one takes milliseconds. */
export const LOG_SLOTS_MAX = 16;

/** The wallets that a finding names: those involved, and those of its relations. */
export function namedWallets({ finding }: Classification): ReadonlySet<Address> {
  const named = new Set(finding.wallets.map(({ address }) => address));
  for (const { payload } of finding.evidence) {
    if (payload.kind === 'transaction') for (const wallet of payload.wallets) named.add(wallet);
    if (payload.kind !== 'wallet_relation') continue;
    named.add(payload.sourceWallet);
    for (const wallet of payload.relatedWallets) named.add(wallet);
  }
  return named;
}

/** The transactions of the evidence, each once. */
export function evidenceSignatures({ finding }: Classification): readonly Signature[] {
  const all = finding.evidence.flatMap(({ payload }) =>
    payload.kind === 'transaction' ? payload.signatures : [],
  );
  return [...new Set(all)];
}

/**
 * The slots that the evidence names, in which its transactions may be found: those of its
 * transactions first, since each names only the first of them.
 */
export function evidenceSlots({ finding }: Classification): readonly Slot[] {
  const payloads = finding.evidence.map(({ payload }) => payload);
  const slots = [
    ...payloads.flatMap((payload) => (payload.kind === 'transaction' ? [payload.slot] : [])),
    finding.patternStartSlot,
    ...payloads.flatMap(timingSlots),
    ...finding.wallets.map(({ firstSeenSlot }) => firstSeenSlot),
  ];
  return [...new Set(slots)].slice(0, LOG_SLOTS_MAX);
}

function timingSlots(payload: EvidencePayload): readonly Slot[] {
  return payload.kind === 'timing' ? payload.slots : [];
}

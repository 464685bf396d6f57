import type { MintExtensionFact, MintExtensionKind } from '../../model/mint-extension.ts';
import { amount, maybeAddress } from './chain-value-codec.ts';
import { type Codec, plain, record, unionByKind } from './codec.ts';

type Extension<Kind extends MintExtensionKind> = Codec<
  Omit<Extract<MintExtensionFact, { readonly kind: Kind }>, 'kind'>
>;
const transferFee: Extension<'transferFee'> = record({ feeBps: plain(), maxFeeRaw: amount });
const nothing: Extension<'nonTransferable'> = record({});

/** Extensions of a Token-2022 mint. */
export const extension = unionByKind<MintExtensionFact>({
  transferFee,
  nextTransferFee: transferFee,
  interestBearing: record({ rateBps: plain() }),
  scaledUiAmount: record({ multiplier: plain(), effectiveTimeMs: plain() }),
  metadataPointer: record({ metadataAddress: maybeAddress }),
  permanentDelegate: record({ delegate: maybeAddress }),
  transferHook: record({ hookProgram: maybeAddress }),
  defaultAccountState: record({ isFrozen: plain() }),
  nonTransferable: nothing,
  pausable: record({ isPaused: plain() }),
  mintCloseAuthority: record({ closeAuthority: maybeAddress }),
  confidentialTransfer: nothing,
});

import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import { AddressParameter } from './parameters.ts';

export const BAD_WALLET = 'address must be the base58 text of a 32-byte address.';

/** Path parameters of the lists of a wallet. */
export const WalletPath = Type.Object({
  address: AddressParameter({ description: 'Wallet address.', example: EXAMPLE.wallet }),
});

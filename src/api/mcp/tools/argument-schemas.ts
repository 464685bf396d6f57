import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, UuidParameter } from '../../schemas/parameters.ts';

export const TokenArgument = AddressParameter({
  description: 'Mint address of the token, base58.',
  example: EXAMPLE.mint,
});

export function WalletArgument(description: string) {
  return AddressParameter({ description, example: EXAMPLE.wallet });
}

export const FindingArgument = UuidParameter({
  description: 'Id of the finding, as check_fraud and recent_changes return it.',
  example: '126ec352-ff62-5c3e-80f9-b527ec440982',
});

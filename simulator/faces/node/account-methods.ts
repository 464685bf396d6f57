import type { Address } from '../../../src/model/units.ts';
import type { Tip } from './block-window.ts';
import { inContext, tipOf } from './chain-methods.ts';
import {
  ACCOUNT_ENCODINGS,
  type DataSlice,
  formatAccount,
  formatDataAccount,
} from './format-account.ts';
import type { CallContext, Method } from './node-state.ts';
import {
  addressOf,
  addressParameter,
  chosenOption,
  type Options,
  optionsParameter,
  wholeNumber,
} from './parameters.ts';
import { invalidParams } from './rpc-error.ts';

const ACCOUNTS_MAX = 100;

/**
 * Serves mints, metadata accounts, and accounts given to the node as bytes. Others are answered as
 * if they did not exist.
 */
export const accountMethods: Readonly<Record<string, Method>> = {
  getAccountInfo: (context, params) => {
    const address = addressParameter(params, 0);
    const options = optionsParameter(params, 1);
    const tip = tipOf(context, options);
    return inContext(tip.slot, readAccount(context, address, tip, options));
  },
  getMultipleAccounts: (context, params) => {
    const [list] = params;
    if (!Array.isArray(list))
      throw invalidParams('Invalid params: invalid type, expected a sequence.');
    if (list.length > ACCOUNTS_MAX) {
      throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    }
    const addresses = list.map(addressOf);
    const given = optionsParameter(params, 1);
    // Only this method has base64 as its default.
    const options = { encoding: 'base64', ...given };
    const tip = tipOf(context, options);
    return inContext(
      tip.slot,
      addresses.map((address) => readAccount(context, address, tip, options)),
    );
  },
};

function readAccount(
  { node, view }: CallContext,
  address: Address,
  tip: Tip,
  options: Options,
): object | null {
  const encoding = chosenOption(options, 'encoding', ACCOUNT_ENCODINGS);
  const slice = sliceOf(options);
  const data = node.dataAccounts.get(address);
  if (data !== undefined) return formatDataAccount(data, encoding, slice);
  const account = node.accounts.at(address, tip.slot, (slot) => view.isUnsettled(slot));
  return account === null ? null : formatAccount(address, account, encoding, slice);
}

function sliceOf({ dataSlice }: Options): DataSlice | undefined {
  if (dataSlice === undefined || dataSlice === null) return undefined;
  const { offset, length } = dataSlice as Record<string, unknown>;
  return { offset: wholeNumber(offset), length: wholeNumber(length) };
}

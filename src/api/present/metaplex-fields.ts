import {
  type Collection,
  type CollectionDetails,
  type ProgrammableConfig,
  USE_METHODS,
  type Uses,
} from '../../model/metadata-content.ts';
import { address, flag, nullable, wholeText, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

export const TokenCollection = wireRecord<Collection>()(
  {
    verified: [
      flag,
      'verified',
      'Whether the authority of the collection had verified it when the field was set or read ' +
        'from the metadata account. A later verification is not followed.',
    ],
    key: [address, 'key', 'Mint of the collection.'],
  },
  { description: 'Collection that the token belongs to; null if there is none or it is unknown.' },
);

export const TokenUses = wireRecord<Uses>()(
  {
    use_method: [word(USE_METHODS), 'useMethod'],
    remaining: [
      wholeText,
      'remaining',
      'Uses left when the field was set or read from the metadata account.',
    ],
    total: [wholeText, 'total'],
  },
  { description: 'How often the token can be used; null if that is not limited or unknown.' },
);

export const CollectionSize = wireRecord<CollectionDetails>()(
  {
    size: [
      nullable(wholeText),
      'size',
      'Verified members when the field was set or read from the metadata account; null for a ' +
        'collection that does not count them.',
    ],
  },
  { description: 'Present for a token that is itself a collection; null otherwise or if unknown.' },
);

export const TransferRules = wireRecord<ProgrammableConfig>()(
  {
    rule_set: [
      nullable(address),
      'ruleSet',
      'Account with the rules of transfers; null if there are none.',
    ],
  },
  { description: 'Present for a programmable token; null otherwise or if unknown.' },
);

import { describe, expect, test } from 'vitest';
import type { ProgramLayout } from '../transaction/program-layout.ts';
import { compareInterface, isHarmful } from './compare-interface.ts';
import type { ProgramInterface } from './program-interface.ts';

const BUY = '66063d1201daebea';
const SELL = '33e685a4017f83ad';
const TRADED = 'bddb7fd34ee661ee';

const LAYOUT: ProgramLayout = {
  instructions: {
    buy: { discriminator: BUY, accounts: { mint: 1, user: 3 } },
    sell: { discriminator: SELL, accounts: { mint: 1 } },
  },
  ignoredInstructions: { set_params: '1beab2349302bb8d' },
  events: { TradeEvent: { discriminator: TRADED, fields: ['mint', 'amount', 'user'] } },
  ignoredEvents: { SetParamsEvent: 'dfc39ff63e308f83' },
};

const ACCOUNTS = ['global', 'mint', 'curve', 'user'];
const FIELDS = ['mint', 'amount', 'user', 'timestamp'];

function published({
  accounts = ACCOUNTS,
  fields = FIELDS,
  more = [],
  buyName = 'buy',
}: {
  readonly accounts?: readonly string[];
  readonly fields?: readonly string[];
  readonly more?: ProgramInterface['instructions'];
  readonly buyName?: string;
} = {}): ProgramInterface {
  return {
    address: null,
    instructions: [
      { name: buyName, discriminator: BUY, accounts },
      { name: 'sell', discriminator: SELL, accounts: ACCOUNTS },
      ...more,
    ],
    events: [
      {
        name: 'TradeEvent',
        discriminator: TRADED,
        fields: fields.map((name) => ({ name, type: 'u64' })),
      },
    ],
  };
}

const found = (given: Parameters<typeof published>[0], layout = LAYOUT) =>
  compareInterface(published(given), layout).map(({ kind, message }) => `${kind}: ${message}`);

describe('an interface', () => {
  test('equal to the layout has no differences, even with more entries at the end', () => {
    expect(found({ accounts: [...ACCOUNTS, 'new'], fields: [...FIELDS, 'new'] })).toEqual([]);
  });

  test('with an account inserted before one that is read is misread', () => {
    expect(found({ accounts: ['global', 'payer', 'mint', 'curve', 'user'] })).toEqual([
      'misread: mint of buy is read at position 1 and stands at 2',
      'misread: user of buy is read at position 3 and stands at 4',
    ]);
  });

  test('with an account inserted after those that are read is not misread', () => {
    expect(found({ accounts: ['global', 'mint', 'curve', 'user', 'payer'] })).toEqual([]);
  });

  test('with an account renamed in the same position is renamed', () => {
    expect(found({ accounts: ['global', 'mint', 'curve', 'owner'] })).toEqual([
      'renamed: user of buy is read at position 3, where owner stands',
    ]);
  });

  test('with fewer accounts than are read is misread', () => {
    expect(found({ accounts: ['global', 'mint'] })).toEqual([
      'misread: user of buy is read at position 3, past the end of the accounts',
    ]);
  });

  test('with an account removed, and another at its position, is misread', () => {
    expect(found({ accounts: ['global', 'curve', 'user', 'program'] })).toEqual([
      'misread: mint of buy is read at position 1, where curve stands',
      'misread: user of buy is read at position 3 and stands at 2',
    ]);
  });

  test('with an inserted field is misread, once per event', () => {
    expect(found({ fields: ['mint', 'side', 'amount', 'user'] })).toEqual([
      'misread: amount of TradeEvent is read as field 1, where side stands, and 1 after it are elsewhere too',
    ]);
  });

  test('with a renamed field is renamed', () => {
    expect(found({ fields: ['mint', 'volume', 'user'] })).toEqual([
      'renamed: amount of TradeEvent is read as field 1, where volume stands',
    ]);
  });

  test('of an earlier version has fewer fields at the end', () => {
    expect(found({ fields: ['mint', 'amount'] })).toEqual([
      'absent: user of TradeEvent is not there',
    ]);
  });

  test('with a new instruction is missed', () => {
    const more = [{ name: 'buy_v9', discriminator: 'ffeeddccbbaa9988', accounts: [] }];
    expect(found({ more })).toEqual([
      'missed: the instruction buy_v9 (ffeeddccbbaa9988) is not known',
    ]);
  });

  test('with another instruction under the same discriminator is renamed', () => {
    expect(found({ buyName: 'purchase' })).toEqual([
      'renamed: the instruction buy is called purchase',
    ]);
  });

  test('with a known name under another discriminator is missed', () => {
    const more = [{ name: 'set_params', discriminator: 'ffeeddccbbaa9988', accounts: [] }];
    expect(found({ more })).toEqual([
      'missed: the instruction set_params has the discriminator ffeeddccbbaa9988 now',
    ]);
  });

  test('is absent without something that is read, but not without something ignored', () => {
    const alone = { address: null, instructions: [], events: [] };
    const differences = compareInterface(alone, LAYOUT);
    expect(differences.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'absent buy',
      'absent sell',
      'absent TradeEvent',
    ]);
    expect(differences.some(isHarmful)).toBe(false);
  });

  test('without discriminators has those derived by Anchor', () => {
    // sha256("global:buy") and sha256("event:TradeEvent") begin with the ones above.
    const given = published();
    const derived = {
      ...given,
      instructions: given.instructions.map((one) => ({ ...one, discriminator: null })),
      events: given.events.map((one) => ({ ...one, discriminator: null })),
    };
    expect(compareInterface(derived, LAYOUT)).toEqual([]);
    const renamed = {
      ...derived,
      instructions: [{ name: 'purchase', discriminator: null, accounts: [] }],
    };
    const kinds = compareInterface(renamed, LAYOUT).map(({ kind, name }) => `${kind} ${name}`);
    expect(kinds).toEqual(['missed purchase', 'absent buy', 'absent sell']);
  });

  test('of a program that numbers its instructions has them in order', () => {
    const numbered: ProgramLayout = {
      instructions: { sell: { discriminator: '01', accounts: {} } },
      ignoredInstructions: { buy: '00' },
      events: {},
      ignoredEvents: {},
    };
    const given = published();
    const unnamed = given.instructions.map((one) => ({ ...one, discriminator: null }));
    expect(compareInterface({ ...given, instructions: unnamed }, numbered)).toEqual([]);
    const [buy, sell] = unnamed;
    if (buy === undefined || sell === undefined) throw new Error('there are two');
    const swapped = { ...given, instructions: [sell, buy] };
    expect(compareInterface(swapped, numbered).map(({ kind }) => kind)).toEqual([
      'renamed',
      'renamed',
    ]);
  });

  test('of a program whose events no instruction carries is not compared by events', () => {
    const layout = { ...LAYOUT, events: {}, ignoredEvents: {} };
    expect(found({ fields: ['anything'] }, layout)).toEqual([]);
  });
});

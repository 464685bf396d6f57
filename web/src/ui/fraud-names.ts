import type { BodyOf } from '../api/client.ts';

type Finding = BodyOf<'/v1/fraud/classifications'>['classifications'][number];

/** Each pattern in words of people, as docs/products/fraud.md defines it. */
export const FRAUD_NAMES: Readonly<
  Record<Finding['fraud_type'], { readonly name: string; readonly sentence: string }>
> = {
  traditional_bundle: {
    name: 'Bundled launch',
    sentence:
      'Several wallets with one owner bought together with the launch, before anyone else could.',
  },
  late_bundle: {
    name: 'Late bundle',
    sentence: 'Several wallets with one owner bought together after other people had come.',
  },
  bundle_and_launder: {
    name: 'Bundle and launder',
    sentence: 'Insiders sold in public and bought back through other wallets.',
  },
  fake_dump: {
    name: 'Fake dump',
    sentence: 'A sale was staged to shake holders out, and bought back cheaper.',
  },
  coordinated_exit: {
    name: 'Coordinated exit',
    sentence: 'Linked wallets sold together, at the cost of those who held.',
  },
  wash_volume: {
    name: 'Wash volume',
    sentence: 'Linked wallets traded with each other to show volume that is none.',
  },
};

import { findPlacedTrades } from '../../../src/fold/market/bundles.ts';
import { groupOf } from '../../../src/fold/market/placed-groups.ts';
import { inspectCase } from '../../../src/fraud/detect/inspect-case.ts';
import type { Finding } from '../../../src/model/fraud.ts';
import type { MintCase } from '../../../src/model/mint-case.ts';
import type { SlotFacts } from '../../../src/model/slot-facts.ts';
import type { Address, Lamports, RawAmount } from '../../../src/model/units.ts';
import { mintCreated, slotFacts, transactionFacts } from '../../support/build-facts.ts';
import { lamportsOf, trade } from '../../support/bundle-trades.ts';
import { aBuy, aCase, LAUNCH_SLOT } from '../../support/mint-case.ts';
import { NaiveCases } from '../../support/naive-case.ts';
import { FOUND_MIN } from '../fraud-run.ts';
import type { LabelledLaunch } from './labelled-launches.ts';

/** What was found of real launches in their slot, beside what their labels say. */
export interface LaunchFigures {
  readonly launches: number;
  /** Launches of which a launch bundle is found. */
  readonly found: number;
  /** Lowest and highest confidence of those found; null without one. */
  readonly confidence: readonly [number, number] | null;
  /** Wallets of the labelled bundles, without creators, summed over launches. */
  readonly members: number;
  readonly membersNamed: number;
  /** Wallets that bought in the slot, outside the bundle. */
  readonly outsiders: number;
  readonly outsidersNamed: number;
  readonly controls: readonly ControlFigures[];
}

/** Real launches in which no bundle is. */
export interface ControlFigures {
  readonly what: string;
  readonly launches: number;
  /** With a finding of any type. */
  readonly found: number;
}

/** Judges labelled launches, and the same ones without their bundle. */
export function judgeLaunches(launches: readonly LabelledLaunch[]): LaunchFigures {
  const judged = launches.map((launch) => {
    const bundle = findingsOf(caseOfLaunch(launch)).find(
      ({ fraudType }) => fraudType === 'traditional_bundle',
    );
    const named = new Set<Address>(bundle?.wallets.map(({ address }) => address));
    const members = signersOf(launch, true);
    const outsiders = signersOf(launch, false).filter((signer) => !members.includes(signer));
    return { bundle, named, members, outsiders };
  });
  const confidences = judged.flatMap(({ bundle }) => bundle?.confidence ?? []);
  const count = (of: (one: (typeof judged)[number]) => number) =>
    judged.reduce((sum, one) => sum + of(one), 0);
  return {
    launches: launches.length,
    found: confidences.length,
    confidence:
      confidences.length === 0 ? null : [Math.min(...confidences), Math.max(...confidences)],
    members: count(({ members }) => members.length),
    membersNamed: count(({ members, named }) => members.filter((one) => named.has(one)).length),
    outsiders: count(({ outsiders }) => outsiders.length),
    outsidersNamed: count(
      ({ outsiders, named }) => outsiders.filter((one) => named.has(one)).length,
    ),
    controls: [controlsOf('labelled launches without their bundle', withoutBundles(launches))],
  };
}

/** Judges launches that one transaction each made, creation and first purchase at once. */
export function judgeSingleLaunches(slots: readonly SlotFacts[]): ControlFigures {
  const cases = slots.flatMap((facts) => {
    const events = facts.transactions.flatMap(({ events: own }) => own);
    const mints = events.flatMap((event) => (event.kind === 'mintCreated' ? event.mint : []));
    return [...new Set(mints)].map((mint) => {
      const history = new NaiveCases(mint, { solUsd: null });
      history.add(facts);
      return history.read();
    });
  });
  return controlsOf(
    'recorded transactions that create a token and buy it',
    cases.filter(({ trades }) => trades.length > 0),
  );
}

/** Launches without a bundle: who bought in the slot outside it, where somebody did. */
function withoutBundles(launches: readonly LabelledLaunch[]): MintCase[] {
  return launches
    .map((launch) => ({ ...launch, buys: launch.buys.filter(({ isBundled }) => !isBundled) }))
    .filter(({ buys }) => buys.length > 0)
    .map(caseOfLaunch);
}

function controlsOf(what: string, cases: readonly MintCase[]): ControlFigures {
  const found = cases.filter((mintCase) => findingsOf(mintCase).length > 0).length;
  return { what, launches: cases.length, found };
}

/** Findings of a confidence from which on they count as found. */
export function findingsOf(mintCase: MintCase): readonly Finding[] {
  return inspectCase(mintCase).filter(({ confidence }) => confidence >= FOUND_MIN);
}

function signersOf({ creator, buys }: LabelledLaunch, isBundled: boolean): Address[] {
  const own = buys.filter((buy) => buy.isBundled === isBundled);
  return [...new Set(own.map(({ signer }) => signer))].filter((signer) => signer !== creator);
}

/** The case of a launch from its purchases and their order alone: no payment is known. */
export function caseOfLaunch({ mint, creator, txIndex, buys }: LabelledLaunch): MintCase {
  const created = transactionFacts({ txIndex, events: [mintCreated(mint)] });
  const bought = buys.map((buy) =>
    trade({
      ...{ txIndex: buy.txIndex, who: buy.signer, lamports: buy.lamports, mint },
      rest: { signature: buy.signature },
    }),
  );
  const inOrder = [created, ...bought].sort((one, other) => one.txIndex - other.txIndex);
  const { groups, bundles } = findPlacedTrades(slotFacts(LAUNCH_SLOT, 0, inOrder), lamportsOf);
  const owners = new Map(bundles.map(({ signature, owner }) => [signature, owner]));
  return aCase({
    mint,
    isFundingKnown: false,
    launch: { ...aBuy(creator, { txIndex }), creator, isListedSale: false },
    trades: buys.map(({ signer, signature, lamports, baseRaw, txIndex: place }) =>
      aBuy(signer, {
        ...{ txIndex: place, signature },
        lamports: lamports as Lamports,
        baseRaw: baseRaw as RawAmount,
        group: groupOf(groups.get(signature), mint, owners.get(signature) ?? signer),
      }),
    ),
  });
}

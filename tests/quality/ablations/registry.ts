import type { Ablation } from './ablation.ts';

/**
 * The amendments of links that METHODS §13.3 lists (docs/decisions/0078), and those of decisions 0102
 * and 0106, each taken out alone.
 */
export const ABLATIONS: readonly Ablation[] = [
  {
    name: 'monotone-links',
    without: 'later evidence may lower a link, as before',
    scenarios: ['coordinated_exit', 'drip-exit', 'bundle_and_launder', 'N9'],
    edits: [
      {
        file: 'src/fraud/links/direct-funding.ts',
        find: 'tradesBy.get(wallet)?.filter(isBuy) ?? []',
        replace: '(tradesBy.get(wallet)?.filter(isBuy) ?? []).slice(0, 1)',
      },
      {
        file: 'src/fraud/links/common-funding.ts',
        find: 'nearest < 1 ? nearest : nearnessBeside(mintCase, ancestor, wallet, lastMs)',
        replace: 'nearest < 1 ? nearest : 0 * nearnessBeside(mintCase, ancestor, wallet, lastMs)',
      },
      {
        file: 'src/fraud/links/common-funding.ts',
        find: 'of ancestorsOf(mintCase, wallet, { untilMs: lastMs.get(wallet) })) {',
        replace: 'of ancestorsOf(mintCase, wallet)) {',
      },
      {
        file: 'src/fraud/links/sweep-flows.ts',
        find: '  return [...sweeps.values()];',
        replace:
          '  return [...sweeps.values()].filter(({ from, to }) => (purses.get(from)?.sent.get(to) ?? 0n) * 10n >= (purses.get(from)?.had ?? 0n) * PART_OF_TEN);',
      },
      {
        file: 'src/fraud/links/synchronized-exit.ts',
        find: 'sellSlot >= entrySlot && hasLeft',
        replace:
          'sellSlot >= entrySlot && hasLeft && holder.soldRaw * 10n >= holder.gotRaw * SOLD_OF_TEN',
      },
    ],
  },
  {
    name: 'closed-accounts',
    without: 'closed, nonce and stake accounts and those with a seed pay nobody',
    scenarios: ['one-use-chains', 'one-use-wash', 'strangers-with-chains'],
    edits: [
      {
        file: 'src/decoders/families/token-instructions.ts',
        find: 'isPaying ? lamports - rentLamports : 0n',
        replace: 'isPaying && lamports < 0n ? lamports - rentLamports : 0n',
      },
      {
        file: 'src/decoders/programs/system.ts',
        find: 'const payer = controllerOf(instruction, tag) ?? keys.at(from)',
        replace: 'const payer = (tag < 0 ? controllerOf(instruction, tag) : null) ?? keys.at(from)',
      },
      {
        file: 'src/decoders/programs/stake.ts',
        find: 'if (lamports === 0n || to === authority) return IGNORED;',
        replace: 'if (lamports >= 0n || to === authority) return IGNORED;',
      },
    ],
  },
  {
    name: 'co-trades-alone',
    without: 'meeting at the same mints links by itself, as payments do',
    scenarios: ['late_bundle', 'coordinated_exit', 'N5'],
    edits: [
      {
        file: 'src/fraud/links/co-trades.ts',
        find: "kind: 'support'",
        replace: "kind: 'market'",
      },
    ],
  },
  {
    name: 'recidivism-by-members',
    without:
      'earlier bundles of the same wallets do not count, only those of the creator or funder',
    scenarios: ['traditional_bundle', 'late_bundle', 'N3'],
    edits: [
      {
        file: 'src/fraud/groups/bundle-group.ts',
        find: 'length >= TOGETHER_MIN',
        replace: 'length >= Number.POSITIVE_INFINITY * TOGETHER_MIN',
      },
    ],
  },
  {
    name: 'owner-of-wrapped-sol',
    without: 'an account of wrapped SOL that is filled counts as a wallet that was paid',
    scenarios: ['pools-wash', 'pool-traders', 'busy-pair'],
    edits: [
      {
        file: 'src/decoders/programs/system.ts',
        find: "kind === 'transfer' ? ownerOfWrapped(view, to) : null",
        replace: "kind === 'transfer' && tag < 0 ? ownerOfWrapped(view, to) : null",
      },
    ],
  },
  {
    name: 'change-sweeps',
    without: 'what wallets did not spend, and sent to one wallet, links nobody',
    scenarios: ['exchange-funded', 'returned-change'],
    edits: [
      {
        file: 'src/fraud/links/sweep.ts',
        find: '...changeSweeps(input)',
        replace: '...changeSweeps(input).slice(0, 0)',
      },
    ],
  },
  {
    name: 'exchange-customers',
    without:
      'one exchange that paid them links wallets that leave, or buy within ten slots, together',
    scenarios: ['late_bundle', 'coordinated_exit', 'N2', 'N5'],
    edits: [
      {
        file: 'src/fraud/exits/exit-window.ts',
        find: "['synchronized-exit', EXCHANGE_LINK]",
        replace: "['synchronized-exit', EXCHANGE_LINK].slice(0, 1)",
      },
      {
        file: 'src/fraud/bundles/late-bundle.ts',
        find: 'reading.clusters([...OWN_LINKS, EXCHANGE_LINK])',
        replace: 'reading.clusters([...OWN_LINKS, EXCHANGE_LINK].slice(0, OWN_LINKS.length))',
      },
    ],
  },
  {
    name: 'improbable-bursts',
    without: 'linked buyers are a late bundle at the usual rate of buyers too',
    scenarios: ['late_bundle', 'profit-takers', 'N2'],
    edits: [
      {
        file: 'src/fraud/bundles/late-bundle.ts',
        find: 'isPlaced || burstOf',
        replace: 'isPlaced || group.members.length > 0 || burstOf',
      },
    ],
  },
  {
    name: 'improbable-mates',
    without: 'who buys beside a bundle is named when members and they together are improbable',
    scenarios: ['late_bundle', 'bundle_and_launder', 'N4'],
    edits: [
      {
        file: 'src/fraud/bundles/bundle-mates.ts',
        find: 'buys, paidFromMs, known: group.wallets })',
        replace: 'buys, paidFromMs, known: new Set() })',
      },
      {
        file: 'src/fraud/laundering/laundering.ts',
        find: 'buys: after, paidFromMs, known }',
        replace: 'buys: after, paidFromMs, known: new Set([...known].slice(0, 0)) }',
      },
    ],
  },
  {
    name: 'token-chains',
    without: 'buyers whose tokens move twice at once are not linked by that',
    scenarios: ['fresh-sellers', 'wallet-movers', 'strangers-with-chains', 'N11'],
    edits: [
      {
        file: 'src/fraud/links/token-chains.ts',
        find: 'if (chains.length < CHAINS_MIN) return;',
        replace: 'if (chains.length < CHAINS_MIN * Number.POSITIVE_INFINITY) return;',
      },
    ],
  },
  {
    name: 'crowds-of-a-launch',
    without: 'ten linked wallets and more are a launch bundle only from 5 % of the supply on',
    scenarios: ['terminal-spread', 'terminal-users', 'exchange-snipers'],
    edits: [
      {
        file: 'src/fraud/bundles/traditional-bundle.ts',
        find: 'group.members.length < GATES.crowdMin.value',
        replace: 'group.members.length < Number.POSITIVE_INFINITY * GATES.crowdMin.value',
      },
    ],
  },
];

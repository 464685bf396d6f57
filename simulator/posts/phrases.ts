/** A statement about a token with its intended sentiment, −1 to 1. */
export interface Claim {
  /** `{m}` stands for the token, `{n}` `{k}` `{h}` `{x}` for numbers. */
  readonly text: string;
  readonly sentiment: number;
}

/** Attitudes towards a token. */
export const TONES = ['euphoric', 'bullish', 'neutral', 'bearish', 'furious'] as const;

export type Tone = (typeof TONES)[number];

/** Statements with the same meaning. */
export function claims(sentiment: number, ...texts: readonly string[]): readonly Claim[] {
  return texts.map((text) => ({ text, sentiment }));
}

/** English in the language of crypto traders. */
export const ENGLISH_CLAIMS: Readonly<Record<Tone, readonly Claim[]>> = {
  euphoric: [
    ...claims(
      0.95,
      '{m} is the gem of this cycle, nothing at {k}k comes close',
      'never been this sure of a play, {m} moons from here',
      '{m} is a {x}x from here and it is not even a debate',
    ),
    ...claims(
      0.9,
      '{m} is sending so hard right now, up {n}% in {h} hours',
      'all in on {m}, not selling one token before {k}m',
      'everyone who held {m} through {n}% down is going to make it',
      '{m} broke ath again at {k}k, unreal strength',
    ),
    ...claims(
      0.8,
      '{m} straight to {k}m, buyers ate {n} sol of sells like nothing',
      'best community on chain is {m}, {n} of us in voice at 4am',
      'bullish on {m} like i never was, wagmi',
    ),
  ],
  bullish: [
    ...claims(
      0.6,
      'early on {m} at {k}k and the community is great',
      'dev of {m} keeps delivering, {h} updates this week',
      'strong bounce on {m}, {n}% off the low already',
    ),
    ...claims(
      0.5,
      '{m} looks strong at {k}k',
      'added {n} sol of {m} on the dip',
      '{m} chart is healthy, higher lows for {h} hours',
      'like the holders of {m}, {n} more every hour',
      '{m} volume picks up, i am a buyer above {k}k',
      'good entry on {m} around {k}k if you missed the first leg',
    ),
    ...claims(
      0.4,
      '{m} is not a rug, checked the lock for {h} months myself',
      'still cheap, {m} does {n}x the volume of things twice its size',
      'liquidity of {m} is locked for {h} months, good sign',
      '{m} holds the {k}k level nicely',
    ),
  ],
  neutral: claims(
    0,
    '{m} at {k}k market cap, {n} holders came in the last hour',
    'anyone know who made {m} and the other {h} from that wallet',
    'what is the supply of {m} after the {n} burns',
    '{m} traded {k} sol in the last {h} hours',
    'watching {m} at {k}k, no position',
    'is {m} listed anywhere or only in the {k} sol pool',
    '{m} moved to the new pool about {h} hours ago',
    'top ten of {m} hold {n}%',
    'comparing {m} with {n} launches of last week',
    'where do i see the lock of {m}, the site shows {h} months',
    'chart of {m} with {h} minute candles please',
    'reading the {m} thread, {n} replies so far',
  ),
  bearish: [
    ...claims(
      -0.4,
      'trimmed {n}% of my {m}, volume is dying',
      'not bullish on {m} at {k}k at all',
      '{m} dev went quiet {h} hours ago, not great',
    ),
    ...claims(
      -0.5,
      '{m} looks weak, lower highs for {h} hours',
      'do not like the {n} wallets behind {m}',
      'down {n}% on {m}, should have sold at {k}k',
      'lost interest in {m}, every bounce gets sold in {h} minutes',
    ),
    ...claims(
      -0.6,
      '{m} chart is cooked below {k}k',
      '{m} bled {n}% and nobody bids',
      '{n} bundled wallets in {m}, staying out',
      'jeets own {m} now, {n} sells in a row',
      '{m} has {n}% in one cluster, bad setup',
    ),
  ],
  furious: [
    ...claims(
      -0.9,
      'got rekt on {m}, {n} sol gone because dev dumped',
      'dev of {m} sold {n}% into us, disgusting',
      '{m} chart went from {k}k to zero in {h} minutes, thieves',
      'worst trade this month is {m}, farmed by {n} insiders',
    ),
    ...claims(
      -0.95,
      '{m} is a rug, get out while there are {n} sol left',
      'everything about {m} was a scam, {h} wallets dumped on everyone',
      'avoid {m}, same team rugged {h} coins before',
    ),
    ...claims(
      -1,
      '{m} is a honeypot, tried to sell {h} times, stay away',
      'liquidity of {m} is gone, rugged {n} sol in {h} minutes',
      'reported {m}, plain theft, {n} sol taken from holders',
    ),
  ],
};

/** Says one thing and means another. */
export const SARCASTIC_CLAIMS: readonly Claim[] = [
  ...claims(
    -0.7,
    'oh great, {m} down another {n}%, love it here 🤡',
    'wow {m} dev is such a genius, only sold {n}% today, very bullish',
    'congrats to all {m} holders on their new {h} year lock called a bag 🎉',
    '{m} straight to the moon, just digging {n}% through the earth first 🚀',
  ),
  ...claims(
    -0.6,
    'yes please, one more {m} thread at {k}k, that always ends well',
    'sure, {m} has {n} fresh wallets holding everything, totally organic, amazing',
    'thank you {m} for teaching me patience for {h} hours, best {n}% loss ever',
    'nothing says community like {n} people buying {m} in the same second, beautiful',
  ),
];

/** Posts about nothing that trades here. `{s}` is a symbol of the wide market. */
export const OFF_TOPIC: readonly string[] = [
  'gm, {n} degrees and sunny, touching grass today',
  'my cat slept on the keyboard for {h} hours and filled {n} pages',
  'anyone else have issues with wallet updates since {h} hours ago',
  '{s} looks strong above {k}, rates decision in {h} hours',
  'read {n} pages on validator clients, firedancer is fun',
  'dinner was great, {h} courses, no phones',
  'pumping iron {h} times this week, dumping {n} kg of old gear',
  'hiring a rust engineer, {n} applicants in {h} days',
  'block times felt slow for {h} minutes, now back to normal',
  '{s} weekly close in {h} hours, who is watching',
  'moon is {n}% full tonight, clear sky until {h}',
  'coffee number {h}, code review of {n} files left',
  'train is {n} minutes late again, reading about {s} instead',
  'my rug at home needs cleaning, {n} euros per square metre lol',
];

/** Symbols of the wide market, which no mint of the run has. */
export const WIDE_MARKET = ['$BTC', '$ETH', '$SOL'];

/** Names tokens only to appear in searches for them. */
export const SPAM: readonly string[] = [
  'JOIN our VIP group {n}x calls daily, trending: {m} t.me/vip_calls_{h}',
  '{m} airdrop LIVE claim {k} SOL now -> claim-{n}.example',
  'DM me for private alpha, last call {x}x, next after {m}',
  'we boost your token to trending for {h} sol, worked for {m}, dm',
  'turn {h} SOL into {n} SOL with our bot, now sniping {m}',
  'presale {n}% sold out, holders of {m} whitelisted, link in bio',
];

/** Paid promotion: a raid copies one of these. */
export const RAID_TEXTS: readonly string[] = [
  'whales are loading {m} right now and the chart is about to explode, next stop {k} million, do not fade this one, follow {f} and thank us later',
  'just sold everything for {m}, the team is doxxed, liquidity is burned and {k} holders in {h} hours, this is the next {x}x, join {f} before it is too late',
  'last chance to buy {m} under {k}m market cap, big partnership announcement in {h} hours, influencers are coming in, everybody talks about {f} today',
  'my whole timeline is {m}, smart wallets hold {n}% and nobody sells, easiest {x}x of the month, apes together strong, all eyes on {f} now',
];

export const OPENERS: readonly string[] = [
  'ok',
  'so',
  'honestly',
  'not gonna lie,',
  'update:',
  'fam,',
  'anon,',
  'ser,',
  'imo',
  'quick note:',
  'hot take:',
  'reminder:',
  'day {h}:',
  'woke up and',
  'back from lunch,',
];

export type Lean = 'positive' | 'neutral' | 'negative';

export const REASONS: Readonly<Record<Lean, readonly string[]>> = {
  positive: [
    'top wallets keep adding',
    'the chat is wide awake',
    '{n} new holders since lunch',
    'this after {h} hours of sideways',
    'while everyone else sleeps',
    'volume backs it up',
    'smart wallets bought {k} sol of it',
    'sellers look exhausted at {k}k',
    'the {h} hour candle says it all',
    'my first buy was at {k}k',
    'setting a bid {n}% lower too',
    'and it is only tuesday',
  ],
  neutral: [
    'numbers from the explorer',
    'as of {h} minutes ago',
    'screenshot has {n} rows',
    'checked {h} sources',
    'asking for a friend',
    'will look again in {h} hours',
    'if somebody has data from slot {n}, share',
    'at least that is what {n} people say',
    'notes so far: {h} pages',
    'counting transfers, {k} of them',
  ],
  negative: [
    'the same {h} wallets again',
    'chat is muted since {h} minutes',
    '{n} of my friends are stuck',
    'volume fell {n}% since noon',
    'took the {n}% loss and left',
    'exit queue is {k} sells long',
    'funded from one wallet {h} hours before',
    'no answer from the team in {h} hours',
    'look at the {h} minute candle',
    'the pool has {k} sol left',
    'i warned at {k}k',
    'lesson number {n}',
  ],
};

/** Endings of a text, which change its sentiment a little. */
export const CLOSERS: Readonly<Record<Lean, readonly Claim[]>> = {
  positive: [
    ...claims(0.05, '🚀', 'lfg', 'wagmi', '💎🙌', '🔥🔥', '📈'),
    ...claims(0, 'nfa', 'dyor'),
  ],
  neutral: claims(0, '👀', 'dyor', 'thx', 'nfa', '🧵', '🤔'),
  negative: [...claims(-0.05, '📉', '🤡', 'ngmi', '💀', '🚩🚩'), ...claims(0, 'nfa', 'be careful')],
};

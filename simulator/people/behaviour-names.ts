/** Kinds of people and programs that trade, each with its own population. */
export const BEHAVIOURS = [
  'casual',
  'terminalUser',
  'freshUser',
  'sniper',
  'copyTrader',
  'marketMaker',
  'arbitrageur',
  'sandwicher',
  'volumeBot',
  'smartTrader',
  'luckyTrader',
  'promoter',
  'holder',
  'handScalper',
  'whale',
  'skilledTrader',
  'fadingTrader',
  'streakTrader',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

import type { BehaviourKind } from '../behaviour.ts';
import type { Behaviour } from '../behaviour-names.ts';
import { arbitrageur } from '../behaviours/arbitrageur.ts';
import { casual } from '../behaviours/casual.ts';
import { copyTrader } from '../behaviours/copy-trader.ts';
import { fadingTrader } from '../behaviours/fading-trader.ts';
import { freshUser } from '../behaviours/fresh-user.ts';
import { handScalper } from '../behaviours/hand-scalper.ts';
import { holder } from '../behaviours/holder.ts';
import { luckyTrader } from '../behaviours/lucky-trader.ts';
import { marketMaker } from '../behaviours/market-maker.ts';
import { promoter } from '../behaviours/promoter.ts';
import { sandwicher } from '../behaviours/sandwicher.ts';
import { skilledTrader } from '../behaviours/skilled-trader.ts';
import { smartTrader } from '../behaviours/smart-trader.ts';
import { sniper } from '../behaviours/sniper.ts';
import { streakTrader } from '../behaviours/streak-trader.ts';
import { terminalUser } from '../behaviours/terminal-user.ts';
import { volumeBot } from '../behaviours/volume-bot.ts';
import { whale } from '../behaviours/whale.ts';

/** Every kind of people, in the order in which they are created. */
export const BEHAVIOUR_KINDS: Readonly<Record<Behaviour, BehaviourKind>> = {
  casual,
  terminalUser,
  freshUser,
  sniper,
  copyTrader,
  marketMaker,
  arbitrageur,
  sandwicher,
  volumeBot,
  smartTrader,
  luckyTrader,
  promoter,
  holder,
  handScalper,
  whale,
  skilledTrader,
  fadingTrader,
  streakTrader,
};

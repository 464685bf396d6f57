import {
  YellowstoneFace,
  type YellowstoneOptions,
} from '../../simulator/faces/node/yellowstone-face.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { TransferMarket, type TransferMarketOptions } from './transfer-market.ts';

/** A simulated chain that streams, behind a network that can fail. */
export class YellowstoneChain {
  readonly face: YellowstoneFace;
  readonly steps: ChainStep[] = [];
  readonly market: TransferMarket;
  proxy: TcpProxy = new TcpProxy(0);
  url = '';

  constructor(options: YellowstoneOptions = {}, market: TransferMarketOptions = {}) {
    this.face = new YellowstoneFace(options);
    this.market = new TransferMarket({ skipRate: 0.1, ...market });
    this.advance(3);
  }

  async listen(): Promise<void> {
    this.proxy = new TcpProxy(await this.face.listen(0));
    this.url = `http://127.0.0.1:${await this.proxy.listen()}`;
  }

  async close(): Promise<void> {
    this.face.close();
    await this.proxy.close();
  }

  /** Advances slots until there are this many more canonical blocks. */
  advance(blocks: number): void {
    for (let made = 0; made < blocks; ) {
      const step = this.market.step();
      if (step === null) continue;
      this.steps.push(step);
      this.face.accept(step);
      if (step.isCanonical) made++;
    }
  }

  /** Canonical blocks, oldest first. */
  get canonical(): readonly ChainStep['block'][] {
    return this.steps.filter(({ isCanonical }) => isCanonical).map(({ block }) => block);
  }

  /** The newest confirmed canonical slot: one slot waits for confirmation. */
  get confirmedSlot(): number {
    const headSlot = this.steps.at(-1)?.block.slot ?? 0;
    return this.canonical.findLast(({ slot }) => slot < headSlot)?.slot ?? 0;
  }
}

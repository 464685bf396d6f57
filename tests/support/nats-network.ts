import { TcpProxy } from './tcp-proxy.ts';

/** The network between one process and all NATS servers. */
export class NatsNetwork {
  private readonly proxies: readonly TcpProxy[];
  private ports: readonly number[] = [];

  private constructor(proxies: readonly TcpProxy[]) {
    this.proxies = proxies;
  }

  static async open(serverPorts: readonly number[]): Promise<NatsNetwork> {
    const network = new NatsNetwork(serverPorts.map((port) => new TcpProxy(port)));
    network.ports = await Promise.all(network.proxies.map((proxy) => proxy.listen()));
    return network;
  }

  /** As the setting of the servers has it. */
  get url(): string {
    return this.ports.map((port) => `nats://127.0.0.1:${port}`).join(',');
  }

  /** Resets all connections, and refuses new ones. */
  cut(): void {
    for (const proxy of this.proxies) proxy.cut();
  }

  /** Answers get lost, while requests still arrive. */
  stall(): void {
    for (const proxy of this.proxies) proxy.stall();
  }

  slow(delayMs: number): void {
    for (const proxy of this.proxies) proxy.slow(delayMs);
  }

  mend(): void {
    for (const proxy of this.proxies) proxy.mend();
  }

  async close(): Promise<void> {
    for (const proxy of this.proxies) await proxy.close();
  }
}

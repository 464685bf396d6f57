import { createServer } from 'node:net';

/** Ports of the loopback that nothing listens on now. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const listener of listeners) {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    if (typeof address === 'object' && address !== null) ports.push(address.port);
  }
  for (const listener of listeners) await new Promise((resolve) => listener.close(resolve));
  return ports;
}

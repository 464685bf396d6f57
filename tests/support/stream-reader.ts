import { once } from 'node:events';
import { WebSocket } from 'ws';
import { assertDocumented } from './stream-conformance.ts';

type Message = Readonly<Record<string, unknown>>;

/**
 * A client of one WebSocket, with the messages it received. A message that the AsyncAPI document does
 * not describe fails the test.
 */
export class StreamReader {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  /** The code with which the server closed. */
  readonly closed: Promise<number>;
  private onMessage: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      this.messages.push(message);
      assertDocumented(new URL(socket.url).pathname, message);
      this.onMessage();
    });
  }

  /** Rejects when the server refuses the handshake. */
  static async open(url: string, key: string | null): Promise<StreamReader> {
    return StreamReader.openWith(url, key === null ? {} : { 'x-api-key': key });
  }

  static async openWith(
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<StreamReader> {
    const reader = new StreamReader(new WebSocket(url, { headers }));
    await once(reader.socket, 'open');
    return reader;
  }

  /** Resolves with all messages once there are `count`. */
  async until(count: number): Promise<readonly Message[]> {
    while (this.messages.length < count) {
      await new Promise<void>((resolve) => {
        this.onMessage = resolve;
      });
    }
    return this.messages;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

/** The server's answer to a handshake that it refuses. */
export async function refusalOf(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const socket = new WebSocket(url, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

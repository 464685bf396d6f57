import { once } from 'node:events';
import { WebSocket } from 'ws';

type Message = Readonly<Record<string, unknown>>;

/** A client of one WebSocket, and what it was sent. */
export class StreamReader {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  /** The code that the other side closed with. */
  readonly closed: Promise<number>;
  private onMessage: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Message);
      this.onMessage();
    });
  }

  /** Rejects when the server does not open it. */
  static async open(url: string, key: string | null): Promise<StreamReader> {
    const headers = key === null ? {} : { 'x-api-key': key };
    const reader = new StreamReader(new WebSocket(url, { headers }));
    await once(reader.socket, 'open');
    return reader;
  }

  /** Resolves with all messages once there are so many. */
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

/** What a server answers to a handshake that it refuses. */
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

/** What VS Code is to do on a shared store, from `HOST_ORDERS` in its environment. */
export interface HostOrders {
  folder: string;
  /** It works in the first of them, as a person does who has one in view, and shows all of them in the end. */
  sessions: string[];
  prefix: string;
  seed: number;
  /** A file for what it does, a line each. What was written there is kept when the process is killed, as in no pipe. */
  diary: string;
  /** As soon as this file is there it changes no more, and only follows what others do. */
  rest: string;
  /** As soon as this one is there, nobody else changes anything: what it shows must be what the store holds. */
  show: string;
}

/**
 * One connection of an agent, or one editor window. The door makes it and hands it to every call; the planner keeps in
 * it what the connection has done, so that an agent that lost its context keeps working.
 */
export interface Caller {
  /** Recorded with every change: a client's name, or `editor`. */
  readonly client: string;
  /** `PLAN_MODE_AGENT_ID`; '' if unset. */
  readonly agent: string;
  /** Set by session create and resume. */
  session: string | undefined;
  /** The plan this connection pulled last and has not finished, and when: it may be put back and pulled by somebody else. */
  pulled: { plan: string; at: string } | undefined;
}

/** The client that a person in the editor is, whichever window it is. */
export const EDITOR = 'editor';

export function newCaller(client: string, agent = ''): Caller {
  return { client, agent, session: undefined, pulled: undefined };
}

/** An agent's connection. One that calls itself what the editor is called gets another name: nobody decides as the person. */
export function newAgentCaller(client: string, agent = ''): Caller {
  return newCaller(client.toLowerCase() === EDITOR ? `${client} (agent)` : client, agent);
}

/** What every answer about a session carries. */
export interface InSession {
  /** '' only where a search over all sessions needed none. */
  session: string;
  /** True if no session was named and the workspace's current one was taken: the answer says so. */
  assumed: boolean;
}

import type { Log } from '../../src/planner/ports';

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

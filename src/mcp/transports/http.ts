import type { Door } from '../connection';
import type { Service } from './service';

export async function serveHttp(_door: Door): Promise<Service> {
  throw new Error('NINEPLAN_TRANSPORT=http is not available yet');
}

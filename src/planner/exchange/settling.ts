import { topologicalOrder } from '../topology';
import type { PlanOutline, Remark } from './outline';

/**
 * Plans in an order in which each comes after those that it waits for, otherwise as they were. What can't be so is left
 * out and said in `remarks`: plans that wait for what is not there or for each other, and keys that two plans share.
 */
export function settled(list: string, plans: readonly PlanOutline[], remarks: Remark[]): PlanOutline[] {
  const indexOf = new Map<string, number>();
  const unique = plans.map((plan, index) => {
    const isRepeated = indexOf.has(plan.key);
    if (isRepeated) remarks.push({ kind: 'repeated', list, key: plan.key });
    const key = isRepeated ? `${plan.key} (${index + 1})` : plan.key;
    indexOf.set(key, index);
    return { ...plan, key };
  });
  for (const plan of unique) {
    const blockers = plan.waitsFor.filter((key) => !indexOf.has(key));
    if (blockers.length > 0) remarks.push({ kind: 'missing', list, key: plan.key, blockers });
    plan.waitsFor = [...new Set(plan.waitsFor)].filter((key) => indexOf.has(key));
  }
  for (;;) {
    const edges = unique.map(({ waitsFor }) => waitsFor.map((key) => indexOf.get(key) as number));
    const sorted = topologicalOrder(edges);
    if ('order' in sorted) return sorted.order.map((index) => unique[index] as PlanOutline);
    const [first, second] = [sorted.cycle[0] as number, sorted.cycle[1] ?? (sorted.cycle[0] as number)];
    const [plan, blocker] = [unique[first] as PlanOutline, unique[second] as PlanOutline];
    remarks.push({ kind: 'circle', list, key: plan.key, other: blocker.key });
    plan.waitsFor = plan.waitsFor.filter((key) => key !== blocker.key);
  }
}

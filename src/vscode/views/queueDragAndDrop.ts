import * as vscode from 'vscode';
import type { MoveTarget } from '../../planner/queue';
import { QueuedPlanNode } from './queueNodes';
import type { TreeNode } from './tree';

export type ReorderQueue = (planIds: string[], to: MoveTarget) => Promise<void>;

interface Dragged {
  id: string;
  position: number;
}

const MIME = 'application/vnd.code.tree.nineplan.queue';

/** Reorders the queue by hand, several plans at once too. The queue's other orderings are commands. */
export class QueueDragAndDrop implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];

  constructor(private readonly reorder: ReorderQueue) {}

  handleDrag(source: readonly TreeNode[], transfer: vscode.DataTransfer): void {
    const dragged = source
      .filter((node) => node instanceof QueuedPlanNode)
      .map(({ plan }): Dragged => ({ id: plan.id, position: plan.queuePosition }))
      .sort((a, b) => a.position - b.position);
    if (dragged.length > 0) transfer.set(MIME, new vscode.DataTransferItem(dragged));
  }

  async handleDrop(target: TreeNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const dragged: Dragged[] | undefined = transfer.get(MIME)?.value;
    const to = dragged && dropTarget(dragged, target);
    if (dragged && to)
      await this.reorder(
        dragged.map(({ id }) => id),
        to,
      );
  }
}

/** The dragged plans take the place of the row they are dropped on; undefined if that changes nothing. */
function dropTarget(dragged: Dragged[], target: TreeNode | undefined): MoveTarget | undefined {
  if (!target) return { position: 'back' };
  if (!(target instanceof QueuedPlanNode)) return { position: 'front' };
  const { id, queuePosition } = target.plan;
  if (dragged.some((plan) => plan.id === id)) return undefined;
  const down = (dragged[0] as Dragged).position < queuePosition;
  return down ? { after: id } : { before: id };
}

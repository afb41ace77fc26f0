import * as vscode from 'vscode';
import type { MoveTarget } from '../../planner/queue';
import { QueuedPlanNode } from './queueNodes';
import type { TreeNode } from './tree';

export interface DragTargets {
  reorder(planIds: string[], to: MoveTarget): Promise<void>;
  /** The plans' files, in the given order. */
  files(planIds: string[]): Promise<vscode.Uri[]>;
}

interface Dragged {
  id: string;
  position: number;
}

const MIME = 'application/vnd.code.tree.nineplan.queue';
const URI_LIST = 'text/uri-list';

/**
 * Reorders the queue by hand, several plans at once too; every such move is also a command. Dragged out of the view, to
 * an editor or the chat, plans are their files.
 */
export class QueueDragAndDrop implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes = [MIME, URI_LIST];
  readonly dropMimeTypes = [MIME];

  constructor(private readonly targets: DragTargets) {}

  async handleDrag(source: readonly TreeNode[], transfer: vscode.DataTransfer): Promise<void> {
    const dragged = source
      .filter((node) => node instanceof QueuedPlanNode)
      .map(({ plan }): Dragged => ({ id: plan.id, position: plan.queuePosition }))
      .sort((a, b) => a.position - b.position);
    if (dragged.length > 0) transfer.set(MIME, new vscode.DataTransferItem(dragged));
    const files = await this.targets.files(source.flatMap((node) => node.planId ?? []));
    transfer.set(URI_LIST, new vscode.DataTransferItem(files.map(String).join('\r\n')));
  }

  async handleDrop(target: TreeNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const dragged: Dragged[] | undefined = transfer.get(MIME)?.value;
    const to = dragged && dropTarget(dragged, target);
    if (dragged && to)
      await this.targets.reorder(
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

import { render } from 'preact';
import './planEditor/planEditor.css';
import { PlanEditorPage } from './planEditor/page';

const root = document.getElementById('page');
if (root) new PlanEditorPage(root, (tree) => render(tree, root));

import { invalidImage } from './invalid-image.js';

/** An element of an SVG, with what it draws. */
export interface SvgElement {
  name: string;
  children: SvgElement[];
  /** IDs of the elements that its attributes refer to. */
  refers_to: string[];
}

/** Maximum number of elements that a browser draws, if each reference draws its target again. */
const MAX_DRAWN = 50_000;

/** Elements that draw nothing by themselves, so that any number of references to them is harmless. */
const GRADIENTS = new Set(['linearGradient', 'radialGradient']);

/**
 * Rejects a small SVG that is slow to draw because its references multiply, such as ten `use` of a group with ten `use` of
 * another group, and references in a circle.
 * @param ids the elements by their IDs
 * @param fromStyles the IDs that style sheets refer to; any element may be styled so
 * @throws Problem 400 `invalid_image`
 */
export function checkReferences(
  root: SvgElement,
  ids: ReadonlyMap<string, SvgElement>,
  fromStyles: ReadonlySet<string>,
): void {
  const drawn = new Map<SvgElement, number>();
  const open = new Set<SvgElement>();
  const countOf = (element: SvgElement): number => {
    const known = drawn.get(element);
    if (known !== undefined) return known;
    if (open.has(element))
      throw invalidImage(`The SVG must not contain references in a circle, at a ${element.name} element`);
    open.add(element);
    const targets = element.refers_to.flatMap((id) => ids.get(id) ?? []);
    const count = [...element.children, ...targets].reduce((sum, one) => sum + countOf(one), 1);
    open.delete(element);
    drawn.set(element, count);
    return count;
  };
  let count = countOf(root);
  for (const id of fromStyles) {
    const target = ids.get(id);
    if (target && !GRADIENTS.has(target.name)) count *= Math.max(1, countOf(target) - 1);
  }
  if (count > MAX_DRAWN)
    throw invalidImage(
      `The SVG must draw at most ${MAX_DRAWN} elements, including repeated ones, such as of use elements`,
    );
}

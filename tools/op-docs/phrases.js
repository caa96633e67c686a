/*
 * What the documentation of ops says in several families.
 */
export const AXES_RANGE = 'ShapeError for an axis that is out of range or given twice.';
export const AXIS_RANGE = 'ShapeError for an axis that is out of range.';
export const BROADCAST = 'The inputs broadcast by NumPy\'s rule.';
export const FLOAT = 'Any; bool and integers become float32.';
export const GIVEN_SHAPE = 'The shape that is given.';
export const KEPT = 'Any; it stays.';
export const NO_BOOL = 'DTypeError for bool.';
export const NUMERIC = 'Any but bool; the promoted one comes out.';
export const PROMOTED = 'Any; the promoted one comes out.';
export const PROMOTED_FLOAT = 'Any; bool and integers become float32. The promoted one comes out.';
export const SAME = 'That of x.';
export const VIEW = 'A view: it shares the elements.';

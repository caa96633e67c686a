/**
 * An ESLint rule: no JSDoc type contains `any`, and no comment turns
 * TypeScript off. (`unknown` says the same and is checked.)
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const noAny = {
  meta: {
    type: 'problem',
    messages: {
      any: 'A type that is `any` is not checked. `unknown` is.',
      off: 'TypeScript stays on: say the type instead.',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const { loc } = comment;
          if (!loc) continue;
          if (/@\w+\s*\{[^}]*\bany\b/.test(comment.value)) context.report({ loc, messageId: 'any' });
          if (/^\s*@ts-(ignore|nocheck)\b/m.test(comment.value)) context.report({ loc, messageId: 'off' });
        }
      },
    };
  },
};

import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const CONSOLE = ['console/**/*.ts', 'console/**/*.tsx'];
const TYPESCRIPT = ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'ormconfig.ts', ...CONSOLE];
const TESTS = ['test/**/*.ts', '**/*.spec.ts'];

export default defineConfig(
  // Packages of their own are compiled where they find the service, beside its tarball (test/extending/tarball.slow.spec.ts).
  globalIgnores([
    'node_modules/',
    'dist/',
    'coverage/',
    'data/',
    'examples/*/dist/',
    'examples/plugins/',
    'console/api/openapi.d.ts',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [js.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        ['Buffer', 'URL', 'clearInterval', 'console', 'fetch', 'process', 'setInterval', 'setTimeout'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
    rules: { eqeqeq: 'error' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly' } },
  },

  {
    files: TYPESCRIPT,
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      // Zone text and names are octets: their readers have to speak of control characters.
      'no-control-regex': 'off',
      // A Nest module is an empty class that carries its decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // DTOs and entities are plain data whose classes carry decorators: written as literals, copied by spreading.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // It would ask for the `!` that no-non-null-assertion forbids.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // `() => socket.close()` is a sentence, and `return refuse(…)` an early return.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // A number in a message reads as what it is.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A default implementation of a port may do nothing and still has to promise.
      '@typescript-eslint/require-await': 'off',
      // `while (true)` with a return inside is a reader's natural loop.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // `_name` says that a parameter is there for its place only.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // A port's do-nothing default has empty methods.
      '@typescript-eslint/no-empty-function': ['error', { allow: ['methods', 'asyncMethods', 'arrowFunctions'] }],
      // consistent-type-imports stays off: it would turn an injected class into `import type`, and Nest would not start.
    },
  },

  {
    files: ['src/**/*.ts', 'examples/**/*.ts'],
    ignores: TESTS,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Configuration is read once, in src/config; take typed options.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:process', 'process'].map((name) => ({
            name,
            importNames: ['env', 'default'],
            message: 'Configuration is read once, in src/config; take typed options.',
          })),
        },
      ],
    },
  },
  // These talk to the person who started them.
  {
    files: ['src/main.ts', 'src/app/serve.ts', 'src/cli/**/*.ts', 'examples/*/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['src/config/**/*.ts', 'src/main.ts', 'src/cli/**/*.ts', 'examples/*/main.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-imports': 'off' },
  },

  // What runs in a browser. Whatever stands in a zone is text: nothing makes HTML of it.
  {
    files: CONSOLE,
    ignores: TESTS,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySetInnerHTML', 'srcdoc'].map((property) => ({
          property,
          message: 'Texts of others are shown by ShownText, as text.',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Texts are shown by ShownText.' },
      ],
    },
  },

  {
    files: TESTS,
    rules: {
      // Answers of supertest and JSON.parse are `any`; the assertion is what checks them.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // expect(object.method) hands a method over without calling it.
      '@typescript-eslint/unbound-method': 'off',
      // A test knows that its fixture is there; a wrong guess fails the test.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);

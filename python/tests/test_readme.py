"""The examples in the README run as written."""

import contextlib
import io
import re
import unittest
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


class Readme(unittest.TestCase):
    def test_every_example_runs(self):
        examples = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        self.assertTrue(examples)
        for example in examples:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(example, "README.md", "exec"), {})
            self.assertIn("sha256:", said.getvalue())


if __name__ == "__main__":
    unittest.main()

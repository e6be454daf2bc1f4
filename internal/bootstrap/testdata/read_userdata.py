# Copyright 2026 The Cluster API Provider IONOS Cloud Authors.
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Reads user data from stdin and prints what the installed cloud-init makes of it, without touching the system.

Argument: an empty directory. Output, as JSON: the parts that were found, the cloud-config that they merge to, the
script of its boot commands, and the scripts that would run.
"""

import base64
import json
import os
import sys

from cloudinit import handlers, helpers, util
from cloudinit.handlers.cloud_config import CloudConfigPartHandler
from cloudinit.handlers.jinja_template import JinjaTemplatePartHandler
from cloudinit.handlers.shell_script import ShellScriptPartHandler
from cloudinit.user_data import UserDataProcessor

root = sys.argv[1]
paths = helpers.Paths({"cloud_dir": root + "/cloud", "run_dir": root + "/run"})
# What a data source tells its instance, for the Jinja templates.
os.makedirs(root + "/run")
os.makedirs(root + "/cloud/instance/scripts")
instance_data = {"ds": {"meta_data": {"local_hostname": "from-metadata"}}}
util.write_file(paths.get_runpath("instance_data_sensitive"), json.dumps(instance_data))
# Where cloud-init looks for the current instance.
paths.get_ipath = lambda name=None: os.path.join(root, "cloud/instance", paths.lookups[name])
paths.get_ipath_cur = paths.get_ipath

message = UserDataProcessor(paths).process(sys.stdin.buffer.read())
parts = []


def record(_data, filename, payload, headers):
    content = payload if isinstance(payload, bytes) else payload.encode("utf-8", "surrogateescape")
    parts.append(
        {
            "type": headers["Content-Type"],
            "filename": filename,
            "content": base64.b64encode(content).decode(),
        }
    )


handlers.walk(message, record, None)

cloud_config = CloudConfigPartHandler(paths)
scripts = ShellScriptPartHandler(paths)
registered = helpers.ContentHandlers()
modules = [cloud_config, scripts, JinjaTemplatePartHandler(paths, sub_handlers=[cloud_config, scripts])]
for module in modules:
    registered.register(module)
    handlers.call_begin(module, None, "always")
walk_data = {"handlers": registered, "data": None, "frequency": "once-per-instance", "excluded": []}
handlers.walk(message, handlers.walker_callback, walk_data)
for module in modules:
    handlers.call_end(module, None, "always")

merged_path = paths.get_ipath("cloud_config")
merged = util.load_yaml(util.load_file(merged_path)) if os.path.exists(merged_path) else None
# The script that the module bootcmd runs.
boot_script = util.shellify(merged["bootcmd"]) if merged and merged.get("bootcmd") else ""
print(
    json.dumps(
        {
            "parts": parts,
            "merged": merged,
            "bootScript": boot_script,
            "scripts": sorted(os.listdir(paths.get_ipath("scripts"))),
        }
    )
)

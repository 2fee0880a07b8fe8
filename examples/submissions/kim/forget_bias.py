dear teacher, please find my homework attached

best, kim
